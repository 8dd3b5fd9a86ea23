/** Whether only this machine can reach a host: `localhost`, `127.0.0.0/8` or `::1`, with or without brackets. Names are not resolved. */
export function isLoopback(host: string): boolean {
  return /^(?:localhost|127(?:\.\d{1,3}){3}|::1|\[::1\])$/i.test(host);
}
