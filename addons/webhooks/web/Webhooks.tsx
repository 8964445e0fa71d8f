import IconPlus from '@tabler/icons-react/icons/IconPlus'
import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { lazy, useMemo, useState } from 'react'
import type { WebhookEndpoint } from '../contract/webhook.ts'
import { api } from '@trainyard/platform/web/api/client.ts'
import { query } from '@trainyard/platform/web/api/queries.ts'
import { useSelection } from '@trainyard/platform/web/navigation/useSelection.ts'
import { useMe } from '@trainyard/platform/web/session/me.ts'
import { CopyButton } from '@trainyard/platform/web/ui/CopyButton.tsx'
import { Dialog } from '@trainyard/platform/web/ui/Dialog.tsx'
import { DialogButton } from '@trainyard/platform/web/ui/DialogButton.tsx'
import { Fetched } from '@trainyard/platform/web/ui/Fetched.tsx'
import { Instant } from '@trainyard/platform/web/ui/Instant.tsx'
import { Lamp } from '@trainyard/platform/web/ui/Lamp.tsx'
import { Screen } from '@trainyard/platform/web/ui/Screen.tsx'
import { SelectCustomer } from '@trainyard/platform/web/ui/SelectTraining.tsx'
import { Skeleton } from '@trainyard/platform/web/ui/Skeleton.tsx'
import { DataTable, type Column } from '@trainyard/platform/web/ui/table/DataTable.tsx'
import { TextButton } from '@trainyard/platform/web/ui/TextButton.tsx'
import { EndpointDetails } from './EndpointDetails.tsx'

const EndpointForm = lazy(() => import('./EndpointForm.tsx'))

/** Poll interval in ms: the state of an endpoint changes with its deliveries. */
const REFRESH_MS = 10_000

const DISABLED = {
  user: 'Disabled',
  gone: 'Disabled: replied 410 Gone',
  failing: 'Disabled: failed for three days',
} as const

const rowId = ({ id }: WebhookEndpoint) => id

export default function Webhooks() {
  const { organization } = useSelection()
  const { role } = useMe()
  const organisationQuery = organization === null ? null : role === 'superadmin' ? { organization } : {}
  const endpoints = useQuery({ ...query(api.webhook.list, organisationQuery), refetchInterval: REFRESH_MS })
  const [secret, setSecret] = useState<string | null>(null)
  const [opened, setOpened] = useState<string | null>(null)
  const columns = useMemo(() => columnsFor(setOpened), [])
  if (organisationQuery === null) {
    return (
      <Screen>
        <SelectCustomer />
      </Screen>
    )
  }
  return (
    <Screen
      actions={
        <DialogButton
          icon={IconPlus}
          dialog={(close) => (
            <EndpointForm organisationQuery={organisationQuery} endpoint={null} close={close} created={setSecret} />
          )}
        >
          Add endpoint
        </DialogButton>
      }
    >
      <p>
        The portal sends events, such as a started machine or a raised hand, to the addresses of your own programs. Each
        request is signed, so that they can verify where it comes from.
      </p>
      <Fetched query={endpoints} loading={<Skeleton rows={4} height="2.25rem" />}>
        {(data) => {
          const endpoint = data.endpoints.find(({ id }) => id === opened) ?? data.endpoints[0]
          return (
            <>
              <DataTable
                label="Webhook endpoints"
                rows={data.endpoints}
                rowId={rowId}
                columns={columns}
                empty="No webhook endpoints"
                isSelected={({ id }) => data.endpoints.length > 1 && id === endpoint?.id}
                stacks
              />
              {endpoint && (
                <EndpointDetails
                  key={endpoint.id}
                  organisationQuery={organisationQuery}
                  endpoint={endpoint}
                  replaced={setSecret}
                />
              )}
            </>
          )
        }}
      </Fetched>
      {secret !== null && <SecretDialog secret={secret} close={() => setSecret(null)} />}
    </Screen>
  )
}

const columnsFor = (open: (id: string) => void): readonly Column<WebhookEndpoint>[] => [
  {
    id: 'url',
    header: 'Address',
    value: ({ url }) => url,
    cell: ({ url }) => <span style={{ overflowWrap: 'anywhere' }}>{url}</span>,
  },
  { id: 'description', header: 'Description', value: ({ description }) => description },
  {
    id: 'events',
    header: 'Events',
    value: ({ events }) => (events.length === 0 ? 'All' : events.join(', ')),
  },
  {
    id: 'state',
    header: 'State',
    value: (endpoint) => stateOf(endpoint).label,
    cell: (endpoint) => {
      const { signal, label } = stateOf(endpoint)
      return (
        <>
          <Lamp signal={signal}>{label}</Lamp>
          {endpoint.disabled === null && endpoint.failingSince !== null && (
            <div className="dim">
              since <Instant at={endpoint.failingSince} />
            </div>
          )}
        </>
      )
    },
  },
  { id: 'pending', header: 'Pending', value: ({ pending }) => pending, align: 'end' },
  {
    id: 'open',
    header: 'Deliveries',
    cell: ({ id, url }) => (
      <TextButton label={`Show the deliveries to ${url}`} onClick={() => open(id)}>
        Show
      </TextButton>
    ),
  },
]

function stateOf({ disabled, failingSince }: WebhookEndpoint) {
  if (disabled !== null) return { signal: 'gone', label: DISABLED[disabled.reason] } as const
  if (failingSince !== null) return { signal: 'danger', label: 'Failing' } as const
  return { signal: 'clear', label: 'Active' } as const
}

/** Shows a new signing secret. It can't be shown again. */
function SecretDialog({ secret, close }: { secret: string; close: () => void }) {
  return (
    <Dialog title="Signing secret" close={close} foot={<Button onClick={close}>I have saved it</Button>}>
      <p>Save the secret now: it is not shown again. Your program verifies the signature of each request with it.</p>
      <p>
        <code style={{ overflowWrap: 'anywhere' }}>{secret}</code>
      </p>
      <CopyButton text={secret} label="Copy the signing secret" />
    </Dialog>
  )
}
