import IconPlus from '@tabler/icons-react/icons/IconPlus'
import { useQuery } from '@tanstack/react-query'
import { lazy, useMemo } from 'react'
import type { KnownOrganisation, ShownOrganisation } from '@trainyard/organisations/web/slots.ts'
import type { ReplyOf } from '@trainyard/platform/contract/call.ts'
import type { price } from '../contract/price.ts'
import { PRICE_KIND_LABELS } from '../contract/price-words.ts'
import { api } from '@trainyard/platform/web/api/client.ts'
import { query } from '@trainyard/platform/web/api/queries.ts'
import { useAction } from '@trainyard/platform/web/api/useAction.ts'
import { Section } from '@trainyard/platform/web/forms/Section.tsx'
import { useMe } from '@trainyard/platform/web/session/me.ts'
import { DialogButton } from '@trainyard/platform/web/ui/DialogButton.tsx'
import { Fetched } from '@trainyard/platform/web/ui/Fetched.tsx'
import { Rupees } from '@trainyard/platform/web/ui/Rupees.tsx'
import { Skeleton } from '@trainyard/platform/web/ui/Skeleton.tsx'
import { DataTable, type Column } from '@trainyard/platform/web/ui/table/DataTable.tsx'
import { TextButton } from '@trainyard/platform/web/ui/TextButton.tsx'
import { formatDate } from '@trainyard/platform/web/ui/time.ts'

const SetPrice = lazy(() => import('./SetPrice.tsx'))

type PriceList = ReplyOf<typeof price.list>
type Row = PriceList['prices'][number]

const STATES = { past: 'Past', 'in force': 'In force', future: 'Planned' } as const

const queriesOf = ({ whose }: KnownOrganisation) => [query(api.price.list, whose)] as const

/** Prices that apply to one organisation instead of the general prices. */
export default function Prices(props: ShownOrganisation) {
  const { organization } = props
  const { role } = useMe()
  const isSuperadmin = role === 'superadmin'
  const list = useQuery(queriesOf(props)[0])
  const columns = useMemo(() => columnsFor(organization, isSuperadmin), [organization, isSuperadmin])
  if (!isSuperadmin && list.data?.prices.length === 0) return null
  return (
    <Section
      title="Prices"
      text="Own prices per hour apply from a day on, instead of the price of the card. Earlier usage keeps its price. The price of a card precedes that of a VM size, to which the price of the licence is added. Browser access is added to each."
    >
      <Fetched query={list} loading={<Skeleton rows={1} height="4rem" />}>
        {({ prices, today, items }) => (
          <div className="stack">
            {items !== null && (
              <div className="row">
                <DialogButton
                  icon={IconPlus}
                  variant="default"
                  dialog={(close) => (
                    <SetPrice organization={organization} items={items} prices={prices} today={today} close={close} />
                  )}
                >
                  Set a Price
                </DialogButton>
              </div>
            )}
            <DataTable
              label="Prices"
              rows={prices}
              rowId={({ kind, item, from }) => `${kind} ${item} ${from}`}
              columns={columns}
              empty="The general prices apply."
              stacks
            />
          </div>
        )}
      </Fetched>
    </Section>
  )
}

Prices.queriesOf = queriesOf

const columnsFor = (organization: string, isSuperadmin: boolean): readonly Column<Row>[] => [
  { id: 'kind', header: 'For', value: ({ kind }) => PRICE_KIND_LABELS[kind] },
  { id: 'item', header: 'Name', value: ({ item }) => item },
  {
    id: 'price',
    header: 'Per Hour',
    align: 'end',
    value: ({ paisePerHour }) => (paisePerHour === null ? null : paisePerHour / 100),
    cell: ({ paisePerHour }) => (paisePerHour === null ? 'General price' : <Rupees paise={paisePerHour} />),
  },
  { id: 'from', header: 'From', value: ({ from }) => formatDate(from), sortBy: ({ from }) => from },
  { id: 'state', header: 'State', value: ({ state }) => STATES[state] },
  ...(isSuperadmin
    ? [
        { id: 'by', header: 'By', value: ({ by }: Row) => by },
        {
          id: 'actions',
          header: 'Actions',
          value: () => null,
          cell: (row: Row) => (row.state === 'future' ? <Remove organization={organization} row={row} /> : null),
        },
      ]
    : []),
]

function Remove({ organization, row: { kind, item, from } }: { organization: string; row: Row }) {
  const removing = useAction(() => api.price.remove({ organization, kind, item, from }), {
    invalidates: ['price', 'template'],
    refetchesOnFailure: true,
  })
  return (
    <TextButton
      label={`Remove the price of ${item} from ${formatDate(from)}`}
      disabled={removing.isPending}
      onClick={() => removing.mutate()}
    >
      Remove
    </TextButton>
  )
}
