/** The product's mark. */
export function Mark() {
  return (
    <svg className="mark" viewBox="0 0 24 24" aria-hidden="true">
      <path d="M11 3v12H4.5C5.4 9.8 7.9 5.8 11 3Zm2 3.5c3 1.8 5.5 4.9 6.5 8.5H13Z" fill="currentColor" />
      <path
        d="M3.5 17h17c-1 2.4-2.7 3.5-4.5 3.5H8c-1.8 0-3.5-1.1-4.5-3.5Z"
        opacity=".55"
        fill="currentColor"
      />
    </svg>
  );
}
