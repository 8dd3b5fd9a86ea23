/**
 * The dashboard without an instance (spec/manager.md § 20.7): one worker with a few tasks, all of it in this file's
 * neighbours. Nothing goes over the wire; reads are answered, writes are refused.
 */
import { Client, fetchExchange } from '@urql/core';
import type { Transport } from '../transport/createTransport.ts';
import { answerDemo, type DemoRequest } from './answerDemo.ts';

/** `nowMs` is the time that the demonstration happens at, in epoch milliseconds. */
export function createDemoTransport(nowMs: number): Transport {
  const client = new Client({
    // Never asked: requests end in the function below.
    url: 'https://demo.invalid/graphql',
    preferGetMethod: false,
    requestPolicy: 'network-only',
    fetch: async (_input, init) => {
      const request = JSON.parse(String(init?.body)) as DemoRequest;
      return Response.json(answerDemo(request, nowMs));
    },
    exchanges: [fetchExchange],
  });
  return {
    client,
    events: {
      readPosition: async () => '0',
      open(_cursor, sink) {
        let isOpen = true;
        queueMicrotask(() => {
          if (isOpen) sink.connected();
        });
        return () => {
          isOpen = false;
        };
      },
    },
  };
}
