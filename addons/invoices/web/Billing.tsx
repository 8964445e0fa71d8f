import { useQuery } from '@tanstack/react-query'
import type { ReplyOf } from '@trainyard/platform/contract/call.ts'
import type { invoice } from '../contract/invoice.ts'
import { api } from '@trainyard/platform/web/api/client.ts'
import { query } from '@trainyard/platform/web/api/queries.ts'
import { Fetched } from '@trainyard/platform/web/ui/Fetched.tsx'
import { ADDRESS_FIELDS, asTexts } from './address.ts'
import { Section } from '@trainyard/platform/web/forms/Section.tsx'
import { type TextField, TextSettings } from '@trainyard/platform/web/forms/TextSettings.tsx'
import { Skeleton } from '@trainyard/platform/web/ui/Skeleton.tsx'

type Customer = ReplyOf<typeof invoice.customer>

const loadShape = () => import('../contract/invoice.ts').then(({ invoice }) => invoice.changeCustomer.body)

const FIELDS = {
  legalName: {
    label: 'Legal Name',
    description: 'As on the registration. Leave empty to use the organisation’s name.',
  },
  ...ADDRESS_FIELDS,
  country: {
    label: 'Country',
    description: 'Outside India only: two-letter country code, for example AE.',
    read: (entered: string) => entered.trim().toUpperCase() || null,
  },
  purchaseOrder: { label: 'Purchase Order', description: 'Printed on the next invoices.' },
  costCentre: { label: 'Cost Centre' },
  listLearners: {
    label: 'Learners on Invoices',
    description: 'The list of usage then names the learner of each machine.',
    read: (entered: string) => entered === 'yes',
    choices: [
      ['no', 'Not listed'],
      ['yes', 'Listed with hours and amount'],
    ],
  },
  emails: {
    label: 'Mail Documents To',
    description: 'Up to ten e-mail addresses. Leave empty to mail the organisation’s admins.',
    read: (entered: string) => entered.split(/[\s,;]+/).filter(Boolean),
  },
} as const satisfies Record<string, TextField>
type Name = keyof typeof FIELDS

const textsOf = ({ emails, listLearners, ...customer }: Customer): Record<Name, string> => ({
  ...asTexts(
    customer,
    Object.keys(FIELDS).filter((name) => name in customer) as Exclude<Name, 'emails' | 'listLearners'>[],
  ),
  emails: emails.join(', '),
  listLearners: listLearners ? 'yes' : 'no',
})

interface BillingProps {
  organization: string
  whose: { organization?: string }
}

const queriesOf = ({ whose }: Pick<BillingProps, 'whose'>) => [query(api.invoice.customer, whose)] as const

export default function Billing(props: BillingProps) {
  const { organization } = props
  const customer = useQuery(queriesOf(props)[0])
  return (
    <Section
      title="Billing"
      text="Details printed on invoices, besides the tax status below. Issued documents do not change."
    >
      <Fetched query={customer} loading={<Skeleton rows={2} height="4rem" />}>
        {(data) => (
          <TextSettings
            submit="Save Billing"
            fields={FIELDS}
            saved={textsOf(data)}
            shape={loadShape}
            send={(changes) => api.invoice.changeCustomer({ organization, ...changes })}
            invalidates={['invoice']}
          />
        )}
      </Fetched>
    </Section>
  )
}
Billing.queriesOf = queriesOf
