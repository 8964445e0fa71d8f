const hex = (bytes: number): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(bytes)), (byte) => byte.toString(16).padStart(2, '0')).join('')

/**
 * Returns a new W3C `traceparent` header and its trace ID, which appears in the portal's log and spans and in error
 * messages.
 */
export function newTrace(): { readonly id: string; readonly header: string } {
  const id = hex(16)
  return { id, header: `00-${id}-${hex(8)}-01` }
}
