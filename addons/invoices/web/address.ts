import { GST_STATES, statesByCode } from '@trainyard/organisations/contract/gst.ts'
import { normaliseTypedCode } from '@trainyard/platform/contract/words/typed-code.ts'
import type { TextField } from '@trainyard/platform/web/forms/TextSettings.tsx'

const STATE_CHOICES = [
  ['', 'None'],
  ...statesByCode(GST_STATES)
    .filter(([code]) => code !== '99')
    .map(([code, name]) => [code, `${name} (${code})`] as const),
] as const

export const codeOrNull = (entered: string): string | null => normaliseTypedCode(entered) || null

export const ADDRESS_FIELDS = {
  addressLine1: { label: 'Address' },
  addressLine2: { label: 'Address, second line' },
  city: { label: 'City' },
  pin: { label: 'PIN Code', inputMode: 'numeric', read: codeOrNull },
  state: { label: 'State', choices: STATE_CHOICES },
} as const satisfies Record<string, TextField>

export const asTexts = <Name extends string>(
  settings: Readonly<Record<Name, string | number | readonly number[] | null>>,
  names: readonly Name[],
): Record<Name, string> =>
  Object.fromEntries(names.map((name) => [name, [settings[name] ?? ''].flat().join(', ')])) as Record<Name, string>
