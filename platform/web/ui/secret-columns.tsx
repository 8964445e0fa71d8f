import { Instant, instantColumn } from './Instant.tsx'
import { Lamp } from './Lamp.tsx'
import type { Column } from './table/DataTable.tsx'
import { TextButton } from './TextButton.tsx'

const STATES = {
  active: { signal: 'clear', label: 'Active' },
  expired: { signal: 'danger', label: 'Expired' },
} as const

interface Secret {
  readonly name: string
  readonly prefix: string
  readonly expires: string
  readonly used: { readonly at: string; readonly address: string } | null
  readonly state: keyof typeof STATES
}

/** Returns the first and the last columns of a table of API keys or tokens. */
export function secretColumns<Row extends Secret>(
  what: 'key' | 'token',
  revoke: (secret: Row) => void,
): { readonly names: readonly Column<Row>[]; readonly use: readonly Column<Row>[] } {
  return {
    names: [
      { id: 'name', header: 'Name', value: ({ name }) => name },
      {
        id: what,
        header: what === 'key' ? 'Key' : 'Token',
        value: ({ prefix }) => `${prefix}...`,
        cell: ({ prefix }) => <code>{prefix}...</code>,
      },
    ],
    use: [
      instantColumn('expires', 'Expires'),
      {
        id: 'used',
        header: 'Last used',
        value: ({ used }) => used?.at ?? '',
        cell: ({ used }) =>
          used === null ? (
            'Never'
          ) : (
            <>
              <Instant at={used.at} /> from {used.address}
            </>
          ),
      },
      {
        id: 'state',
        header: 'State',
        value: ({ state }) => STATES[state].label,
        cell: ({ state }) => <Lamp signal={STATES[state].signal}>{STATES[state].label}</Lamp>,
      },
      {
        id: 'revoke',
        header: 'Revoke',
        cell: (secret) => (
          <TextButton label={`Revoke the ${what} ${secret.name}`} onClick={() => revoke(secret)}>
            Revoke
          </TextButton>
        ),
      },
    ],
  }
}
