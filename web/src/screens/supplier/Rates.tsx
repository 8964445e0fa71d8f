import { Button, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { SupplierSettings } from '@trainyard/contract/calls/supplier.ts'
import { api } from '#src/api/client.ts'
import { Section } from '#src/forms/Section.tsx'
import { SettingsForm } from '#src/forms/SettingsForm.tsx'
import { DeleteButton } from '#src/ui/IconButtons.tsx'
import { controlledText } from '#src/ui/typed-fields.tsx'
import styles from './Rates.module.css'

interface TypedRate {
  readonly key: number
  readonly from: string
  readonly percent: string
}

function basisPointsTyped(percent: string): number | null {
  const typed = percent.replace('%', '').trim()
  if (!/^\d{1,3}(\.\d{1,2})?$/.test(typed)) return null
  const points = Math.round(Number(typed) * 100)
  return points <= 10_000 ? points : null
}

let keys = 0
const typedOf = (rates: SupplierSettings['rates']): TypedRate[] =>
  rates.map(({ from, basisPoints }) => ({ key: (keys += 1), from, percent: String(basisPoints / 100) }))

/** Tax rates by start date. CGST and SGST are half of a rate each. */
export function Rates({ rates }: { rates: SupplierSettings['rates'] }) {
  const [typed, setTyped] = useState(() => typedOf(rates))
  const read = typed.map(({ from, percent }) => ({ from, basisPoints: basisPointsTyped(percent) }))
  const wrong = read.some(({ from, basisPoints }) => from === '' || basisPoints === null)
  const isChanged = wrong || JSON.stringify(read) !== JSON.stringify(rates)
  const change = (key: number, part: Partial<TypedRate>) =>
    setTyped((now) => now.map((rate) => (rate.key === key ? { ...rate, ...part } : rate)))
  return (
    <Section
      title="Rates of Tax"
      text="Each rate applies from its day on. CGST and SGST are half of it each; IGST is all of it."
    >
      <SettingsForm
        submit="Save Rates of Tax"
        changes={wrong ? null : isChanged ? { rates: read as SupplierSettings['rates'] } : {}}
        send={(changes) => api.supplier.change(changes)}
        invalidates={['supplier', 'invoice']}
        saved={() => {}}
      >
        {(tried) => (
          <>
            {typed.map(({ key, from, percent }, index) => (
              <fieldset key={key} className={styles.rate} aria-label={`Rate ${index + 1}`}>
                <TextInput
                  label="From"
                  type="date"
                  error={tried && from === '' && 'Enter a day.'}
                  {...controlledText(from, (day) => change(key, { from: day }))}
                />
                <TextInput
                  label="Rate (%)"
                  inputMode="decimal"
                  autoComplete="off"
                  error={tried && basisPointsTyped(percent) === null && 'Enter a rate such as 18.'}
                  {...controlledText(percent, (text) => change(key, { percent: text }))}
                />
                <DeleteButton
                  name={`rate ${index + 1}`}
                  onClick={() => setTyped((now) => now.filter((rate) => rate.key !== key))}
                />
              </fieldset>
            ))}
            <div>
              <Button
                variant="default"
                onClick={() => setTyped((now) => [...now, { key: (keys += 1), from: '', percent: '18' }])}
              >
                Add a Rate
              </Button>
            </div>
          </>
        )}
      </SettingsForm>
    </Section>
  )
}
