import type { UseQueryResult } from '@tanstack/react-query'
import type { ReplyOf } from '@trainyard/contract/call.ts'
import type { invoice } from '@trainyard/contract/calls/invoice.ts'
import { isEmail } from '@trainyard/contract/words/email.ts'
import { api } from '#src/api/client.ts'
import { Fetched } from '#src/ui/Fetched.tsx'
import { ADDRESS_FIELDS, asTexts } from '#src/forms/address.ts'
import { Section } from '#src/forms/Section.tsx'
import { type TextField, TextSettings } from '#src/forms/TextSettings.tsx'
import { Skeleton } from '#src/ui/Skeleton.tsx'

type Customer = ReplyOf<typeof invoice.customer>

const emailsIn = (typed: string): string[] => typed.split(/[\s,;]+/).filter((part) => part !== '')

const FIELDS = {
  legalName: { label: 'Legal Name', description: 'As on the registration; empty: the organisation’s own name.' },
  place: {
    label: 'Place',
    read: (typed: string) => typed,
    choices: [
      ['india', 'In India'],
      ['sez', 'In a special economic zone (SEZ)'],
      ['abroad', 'Abroad'],
    ],
  },
  ...ADDRESS_FIELDS,
  country: {
    label: 'Country',
    description: 'Abroad alone: two capitals, such as AE.',
    read: (typed: string) => typed.trim().toUpperCase() || null,
    problem: (typed: string) => (/^[A-Za-z]{2}$/.test(typed.trim()) ? null : 'Enter two capitals, such as AE.'),
  },
  emails: {
    label: 'Mail Documents To',
    description: 'E-mail addresses, ten at most; empty: to the organisation’s admins.',
    read: emailsIn,
    problem: (typed: string) =>
      emailsIn(typed).every(isEmail) ? null : 'Enter e-mail addresses, such as pay@example.com.',
  },
} as const satisfies Record<string, TextField>
type Name = keyof typeof FIELDS

const textsOf = ({ emails, ...customer }: Customer): Record<Name, string> => ({
  ...asTexts(customer, Object.keys(FIELDS).filter((name) => name !== 'emails') as Exclude<Name, 'emails'>[]),
  emails: emails.join(', '),
})

interface BillingProps {
  organization: string
  customer: UseQueryResult<Customer>
}

/** How an organisation is billed: what its invoices say of it, and who is mailed them. */
export function Billing({ organization, customer }: BillingProps) {
  return (
    <Section
      title="Billing"
      text="What invoices say of the organisation, beside the GST number above. Documents that were issued stay as they are."
    >
      <Fetched query={customer} loading={<Skeleton rows={2} height="4rem" />}>
        {(data) => (
          <TextSettings
            submit="Save Billing"
            fields={FIELDS}
            saved={textsOf(data)}
            send={(changes) => api.invoice.changeCustomer({ organization, ...changes })}
            renews={['invoice']}
          />
        )}
      </Fetched>
    </Section>
  )
}
