import { Button, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { BodyOf } from '@trainyard/platform/contract/call.ts'
import type { supplier } from '../contract/supplier.ts'
import { api } from '@trainyard/platform/web/api/client.ts'
import { Section } from '@trainyard/platform/web/forms/Section.tsx'
import { SettingsForm } from '@trainyard/platform/web/forms/SettingsForm.tsx'
import { DeleteButton } from '@trainyard/platform/web/ui/IconButtons.tsx'
import { controlledText } from '@trainyard/platform/web/ui/typed-fields.tsx'
import { loadShape } from './fields.ts'
import styles from './EditableRows.module.css'

export interface RowField {
  readonly label: string
  readonly type?: 'date'
  readonly inputMode?: 'decimal'
}

interface EditableRowsProps<Name extends string> {
  setting: 'rates' | 'undertakings'
  title: string
  text: string
  /** Name of one row, such as rate. */
  noun: string
  fields: Readonly<Record<Name, RowField>>
  saved: readonly Readonly<Record<Name, string>>[]
  blank: Readonly<Record<Name, string>>
  toBody: (rows: readonly Readonly<Record<Name, string>>[]) => BodyOf<typeof supplier.change>
}

let keys = 0

/** Form of a setting that has any number of rows. */
export function EditableRows<Name extends string>({
  setting,
  title,
  text,
  noun,
  fields,
  saved,
  blank,
  toBody,
}: EditableRowsProps<Name>) {
  const [rows, setRows] = useState(() => saved.map((values) => ({ key: (keys += 1), values })))
  const names = Object.keys(fields) as Name[]
  const entered = rows.map(({ values }) => values)
  const isChanged = JSON.stringify(entered) !== JSON.stringify(saved)
  return (
    <Section title={title} text={text}>
      <SettingsForm
        submit={`Save ${title}`}
        changes={isChanged ? toBody(entered) : {}}
        shape={loadShape}
        entered={{ [setting]: entered }}
        send={api.supplier.change}
        invalidates={['supplier', 'invoice']}
        saved={() => {}}
      >
        {(problemOf) => (
          <>
            {rows.map(({ key, values }, index) => (
              <fieldset key={key} className={styles.row} aria-label={`${capitalised(noun)} ${index + 1}`}>
                {names.map((name) => (
                  <TextInput
                    key={name}
                    {...fields[name]}
                    autoComplete="off"
                    error={problemOf(`${setting}.${index}.${name}`)}
                    {...controlledText(values[name], (text) =>
                      setRows((now) =>
                        now.map((row) => (row.key === key ? { key, values: { ...row.values, [name]: text } } : row)),
                      ),
                    )}
                  />
                ))}
                <DeleteButton
                  name={`${noun} ${index + 1}`}
                  onClick={() => setRows((now) => now.filter((row) => row.key !== key))}
                />
              </fieldset>
            ))}
            {problemOf(setting) !== null &&
              !rows.some((_, index) => names.some((name) => problemOf(`${setting}.${index}.${name}`))) && (
                <p role="alert" style={{ color: 'var(--danger)' }}>
                  {problemOf(setting)}
                </p>
              )}
            <div>
              <Button variant="default" onClick={() => setRows((now) => [...now, { key: (keys += 1), values: blank }])}>
                {`Add a ${capitalised(noun)}`}
              </Button>
            </div>
          </>
        )}
      </SettingsForm>
    </Section>
  )
}

const capitalised = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)
