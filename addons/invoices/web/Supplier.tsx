import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { ReplyOf } from '@trainyard/platform/contract/call.ts'
import type { supplier } from '../contract/supplier.ts'
import { api } from '@trainyard/platform/web/api/client.ts'
import { query } from '@trainyard/platform/web/api/queries.ts'
import { Fetched } from '@trainyard/platform/web/ui/Fetched.tsx'
import { Screen } from '@trainyard/platform/web/ui/Screen.tsx'
import { asTexts } from './address.ts'
import { Section } from '@trainyard/platform/web/forms/Section.tsx'
import { type TextField, TextSettings } from '@trainyard/platform/web/forms/TextSettings.tsx'
import { Skeleton } from '@trainyard/platform/web/ui/Skeleton.tsx'
import {
  BANK,
  E_INVOICE_FIELDS,
  ISSUING_FIELDS,
  loadShape,
  OVERDUE_FIELDS,
  REMINDER_FIELDS,
  SERIES,
  SUPPLIER,
  VOUCHER_FIELDS,
} from './fields.ts'
import { Rates } from './Rates.tsx'
import { Undertakings } from './Undertakings.tsx'

type Settings = ReplyOf<typeof supplier.read>

const LOADING = <Skeleton rows={2} height="12rem" />

const INVALIDATES = ['supplier', 'invoice'] as const

export const Supplier = () => (
  <SupplierPage>
    {(data) => (
      <>
        {data.problems.length > 0 && (
          <Section title="Before Invoices Can Be Issued">
            <Problems problems={data.problems} />
          </Section>
        )}
        <Part title="Supplier" fields={SUPPLIER} settings={data} />
        <Part title="Bank" text="Printed on invoices once all four are filled in." fields={BANK} settings={data} />
      </>
    )}
  </SupplierPage>
)

/** The supplier's fields alone, for another screen. */
export function SupplierFields() {
  const settings = useQuery(query(api.supplier.read))
  return (
    <Fetched query={settings} loading={LOADING}>
      {(data) => (
        <>
          <Problems problems={data.problems} />
          <Fields title="Supplier" fields={SUPPLIER} settings={data} />
        </>
      )}
    </Fetched>
  )
}

const Problems = ({ problems }: Pick<Settings, 'problems'>) => (
  <ul className="stack">
    {problems.map((problem) => (
      <li key={problem}>{problem}</li>
    ))}
  </ul>
)

export const Series = () => (
  <SupplierPage>
    {(data) => (
      <>
        <Part
          title="Series"
          text="Numbering restarts each financial year, April to March. Issued documents do not change."
          fields={SERIES}
          settings={data}
        />
        <Rates key={`rates ${JSON.stringify(data.rates)}`} rates={data.rates} />
      </>
    )}
  </SupplierPage>
)

export const EInvoices = () => (
  <SupplierPage>
    {(data) => (
      <>
        <Undertakings key={`undertakings ${JSON.stringify(data.undertakings)}`} undertakings={data.undertakings} />
        <Part
          title="E-invoices"
          text="Above 5 crore rupees, invoices and credit notes to businesses, SEZ units and customers abroad are withheld until their registration is recorded. They are then mailed with IRN and QR code (rule 48(5))."
          fields={E_INVOICE_FIELDS}
          settings={data}
        />
      </>
    )}
  </SupplierPage>
)

export const Run = () => (
  <SupplierPage>
    {(data) => (
      <>
        <Part title="Monthly Run" fields={ISSUING_FIELDS} settings={data} />
        <Part
          title="Vouchers"
          text="An advance payment gets a receipt voucher, and a refund voucher when it is refunded."
          fields={VOUCHER_FIELDS}
          settings={data}
        />
      </>
    )}
  </SupplierPage>
)

export const Reminders = () => (
  <SupplierPage>
    {(data) => (
      <>
        <Part
          title="Reminders"
          text="For overdue invoices, including those added by hand. Each account shows the sent reminders and the next ones."
          fields={REMINDER_FIELDS}
          settings={data}
        />
        <Part
          title="Overdue Invoices"
          text="Steps that begin while an invoice stays unpaid. Prepaid Credit shows their dates, and can have other steps for a customer."
          fields={OVERDUE_FIELDS}
          settings={data}
        />
      </>
    )}
  </SupplierPage>
)

function SupplierPage({ children }: { children: (settings: Settings) => ReactNode }) {
  const settings = useQuery(query(api.supplier.read))
  return (
    <Screen>
      <Fetched query={settings} loading={LOADING}>
        {(data) => children(data)}
      </Fetched>
    </Screen>
  )
}

interface FieldsProps<Name extends keyof Settings> {
  title: string
  fields: Readonly<Record<Name, TextField>>
  settings: Settings
}

type TextName = Exclude<keyof Settings, 'rates' | 'undertakings' | 'problems'>

const Part = <Name extends TextName>({ text, ...fields }: FieldsProps<Name> & { text?: string }) => (
  <Section title={fields.title} text={text}>
    <Fields {...fields} />
  </Section>
)

const Fields = <Name extends TextName>({ title, fields, settings }: FieldsProps<Name>) => (
  <TextSettings
    submit={`Save ${title}`}
    fields={fields}
    saved={asTexts(settings, Object.keys(fields) as Name[])}
    shape={loadShape}
    send={(changes) => api.supplier.change(changes)}
    invalidates={INVALIDATES}
  />
)
