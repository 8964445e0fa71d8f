import { Button, TextInput } from '@mantine/core'
import type { Dispatch, SetStateAction } from 'react'
import type { BodyOf } from '@trainyard/platform/contract/call.ts'
import type { invoice } from '../contract/invoice.ts'
import { ONE_OFF_LINES_MAX, PRINTABLE_PATTERN, SAC_PATTERN } from '@trainyard/ledger/contract/tax-document.ts'
import { numberProblem, parseRupees } from '@trainyard/platform/contract/words/money.ts'
import { normaliseTypedCode } from '@trainyard/platform/contract/words/typed-code.ts'
import { typedFields } from '@trainyard/platform/web/ui/typed-fields.tsx'

export const BLANK_LINE = { description: '', amount: '', discount: '', sac: '' }
export type Line = Readonly<typeof BLANK_LINE>
type Lines = BodyOf<typeof invoice.draftOneOff>['lines']

interface LineFieldsProps {
  lines: readonly Line[]
  change: Dispatch<SetStateAction<readonly Line[]>>
  /** True to show the problems of the lines. */
  tried: boolean
}

/** Fields of the lines of an invoice or quote. */
export function LineFields({ lines, change, tried }: LineFieldsProps) {
  const problems = lines.map((line) => problemsOf(line, lines))
  return (
    <>
      {lines.map((line, index) => {
        const changeLine = (to: (before: Line) => Line) =>
          change((now) => now.map((each, place) => (place === index ? to(each) : each)))
        const field = typedFields(line, changeLine, tried ? problems[index]! : null)
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
                <Button
                  variant="default"
                  size="compact-sm"
                  onClick={() => change((now) => now.filter((_, place) => place !== index))}
                >
                  {`Remove Line ${index + 1}`}
                </Button>
              </div>
            )}
          </fieldset>
        )
      })}
      {lines.length < ONE_OFF_LINES_MAX && (
        <div>
          <Button variant="default" onClick={() => change((now) => [...now, BLANK_LINE])}>
            Add a Line
          </Button>
        </div>
      )}
    </>
  )
}

export const areValid = (lines: readonly Line[]): boolean =>
  lines.every((line) => Object.values(problemsOf(line, lines)).every((problem) => problem === false))

export const readLine = ({ description, amount, discount, sac }: Line): Lines[number] => ({
  description: description.trim(),
  amount: parseRupees(amount) ?? 0,
  ...(discount.trim() !== '' && { discount: parseRupees(discount) ?? 0 }),
  ...(sac.trim() !== '' && { sac: normaliseTypedCode(sac) }),
})

function problemsOf(line: Line, all: readonly Line[]): Record<keyof Line, string | false> {
  const text = line.description.trim()
  const [amount, discount] = [parseRupees(line.amount), parseRupees(line.discount)]
  return {
    description:
      text.length < 3
        ? 'Enter at least three characters.'
        : !PRINTABLE_PATTERN.test(text)
          ? 'Use Latin letters or an Indian script, without quotation marks.'
          : all.filter(({ description }) => description.trim() === text).length > 1 &&
            'Two lines have this description. Enter another one.',
    amount: (amount === null || amount <= 0) && numberProblem(line.amount, 'Enter rupees with at most two decimals.'),
    discount:
      line.discount.trim() !== '' &&
      (discount === null || discount <= 0
        ? numberProblem(line.discount, 'Enter rupees with at most two decimals.')
        : amount !== null && discount >= amount && 'The discount must be less than the amount.'),
    sac:
      line.sac.trim() !== '' &&
      !SAC_PATTERN.test(normaliseTypedCode(line.sac)) &&
      'Enter a service accounting code, such as 998315.',
  }
}
