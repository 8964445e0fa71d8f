const GUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gi
const SECRET_FIELD =
  /("(?:adminPassword|password|protectedSettings|settings|personalEmail|otherMails|accessToken)"\s*:\s*)("(?:[^"\\]|\\.)*"|\{[^{}]*\}|\[[^[\]]*\])/gi
/** Signature parameters of polling URLs. */
const SIGNATURE = /([?&](?:t|c|s|h)=)[^&"\\]+/g
const ADDRESS = /\b(?:\d{1,3}\.){3}\d{1,3}\b/g

/**
 * Replaces each ID by a generated ID, the same everywhere, and each address by an address of the documentation range.
 */
export function scrub(lines: string, secrets: readonly string[]): string {
  const ids = new Map<string, string>()
  const madeId = (id: string) => {
    const key = id.toLowerCase()
    const created = ids.get(key) ?? `00000000-0000-4000-9000-${String(ids.size + 1).padStart(12, '0')}`
    ids.set(key, created)
    return created
  }
  return secrets
    .filter(({ length }) => length >= 6)
    .reduce((text, secret) => text.replaceAll(secret, 'scrubbed'), lines)
    .replaceAll(SECRET_FIELD, '$1"scrubbed"')
    .replaceAll(SIGNATURE, '$1scrubbed')
    .replaceAll(ADDRESS, (address) => (/^(10|127|0)\./.test(address) ? address : '203.0.113.7'))
    .replaceAll(/(\/subscriptions\/)([0-9a-f-]{36})/gi, '$100000000-0000-0000-0000-000000000000')
    .replaceAll(GUID, (id) => (/^0{8}-0{4}-(0{4}|4000-9000)-/.test(id) ? id : madeId(id)))
}
