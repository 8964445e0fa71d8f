const hex = (bytes: number): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(bytes)), (byte) => byte.toString(16).padStart(2, '0')).join('')

/** The header that begins a trace with the click: the portal's log and its spans name it, and so does an error here. */
export function newTrace(): { readonly id: string; readonly header: string } {
  const id = hex(16)
  return { id, header: `00-${id}-${hex(8)}-01` }
}
