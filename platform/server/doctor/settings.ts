/**
 * Returns the URL of read-only connections. Their statements have no time limit, because each check has its own limit.
 */
export function readOnly(databaseUrl: string): string {
  const [address, query] = databaseUrl.split('?') as [string, string?]
  const settings = new URLSearchParams(query)
  settings.set(
    'options',
    [settings.get('options'), '-c default_transaction_read_only=on -c statement_timeout=0'].filter(Boolean).join(' '),
  )
  return `${address}?${settings.toString()}`
}
