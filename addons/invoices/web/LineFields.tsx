import { Button, TextInput } from '@mantine/core'
import type { BodyOf } from '@trainyard/platform/contract/call.ts'
import type { invoice } from '../contract/invoice.ts'
import { ONE_OFF_LINES_MAX } from '@trainyard/ledger/contract/tax-document.ts'
import { rupeesIn } from '@trainyard/platform/contract/words/money.ts'
import { normaliseTypedCode } from '@trainyard/platform/contract/words/typed-code.ts'

export const BLANK_LINE = { description: '', amount: '', discount: '', sac: '' }
export type Line = Readonly<typeof BLANK_LINE>
type Lines = BodyOf<typeof invoice.draftOneOff>['lines']

interface LinesForm {
  readonly values: { readonly lines: readonly Line[] }
  getInputProps(path: string): object
  insertListItem(path: 'lines', line: Line): void
  removeListItem(path: 'lines', index: number): void
}

/** Fields of the lines of an invoice or quote. */
export function LineFields({ form }: { form: LinesForm }) {
  const { lines } = form.values
  return (
    <>
      {lines.map((_, index) => {
        const field = (name: keyof Line) => form.getInputProps(`lines.${index}.${name}`)
        return (
          // oxlint-disable-next-line react/no-array-index-key -- lines have no identity, and controlled fields
          <fieldset key={index} className="panel stack" aria-label={`Line ${index + 1}`}>
            <TextInput label="Description" autoComplete="off" maxLength={300} {...field('description')} />
            <TextInput
              label="Amount Before Tax (₹)"
              inputMode="decimal"
              autoComplete="off"
              maxLength={20}
              {...field('amount')}
            />
            <TextInput
              label="Discount (₹)"
              description="Optional."
              inputMode="decimal"
              autoComplete="off"
              maxLength={20}
              {...field('discount')}
            />
            <TextInput
              label="Accounting Code (SAC)"
              description="Optional. If empty, the code of the supplier settings."
              inputMode="numeric"
              autoComplete="off"
              {...field('sac')}
            />
            {lines.length > 1 && (
              <div>
                <Button variant="default" size="compact-sm" onClick={() => form.removeListItem('lines', index)}>
                  {`Remove Line ${index + 1}`}
                </Button>
              </div>
            )}
          </fieldset>
        )
      })}
      {lines.length < ONE_OFF_LINES_MAX && (
        <div>
          <Button variant="default" onClick={() => form.insertListItem('lines', BLANK_LINE)}>
            Add a Line
          </Button>
        </div>
      )}
    </>
  )
}

export const readLine = ({ description, amount, discount, sac }: Line): Lines[number] => ({
  description: description.trim(),
  amount: rupeesIn(amount),
  ...(discount.trim() !== '' && { discount: rupeesIn(discount) }),
  ...(sac.trim() !== '' && { sac: normaliseTypedCode(sac) }),
})
