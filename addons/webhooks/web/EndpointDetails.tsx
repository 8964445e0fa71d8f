import { Button, NativeSelect } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useId, useMemo, useState } from 'react'
import type { WebhookDelivery, WebhookEndpoint } from '../contract/webhook.ts'
import { WEBHOOK_LOG_DAYS, WEBHOOK_ROTATION_HOURS } from '../contract/webhook-words.ts'
import { api } from '@trainyard/platform/web/api/client.ts'
import { query } from '@trainyard/platform/web/api/queries.ts'
import { useAction } from '@trainyard/platform/web/api/useAction.ts'
import { DeleteDialog } from '@trainyard/platform/web/forms/DeleteDialog.tsx'
import { ConfirmDialog } from '@trainyard/platform/web/ui/ConfirmDialog.tsx'
import { Fetched } from '@trainyard/platform/web/ui/Fetched.tsx'
import { Instant, instantColumn } from '@trainyard/platform/web/ui/Instant.tsx'
import { Lamp } from '@trainyard/platform/web/ui/Lamp.tsx'
import { ReasonButton } from '@trainyard/platform/web/ui/ReasonButton.tsx'
import { Skeleton } from '@trainyard/platform/web/ui/Skeleton.tsx'
import { DataTable, type Column } from '@trainyard/platform/web/ui/table/DataTable.tsx'
import { TextButton } from '@trainyard/platform/web/ui/TextButton.tsx'
import { controlledText } from '@trainyard/platform/web/ui/typed-fields.tsx'

const EndpointForm = lazy(() => import('./EndpointForm.tsx'))
const DeliveryDialog = lazy(() => import('./DeliveryDialog.tsx'))
const ResendForm = lazy(() => import('./ResendForm.tsx'))

/** Poll interval in ms while the newest deliveries are shown. */
const REFRESH_MS = 5_000

const STATES = {
  pending: { signal: 'moving', label: 'Pending' },
  delivered: { signal: 'clear', label: 'Delivered' },
  failed: { signal: 'danger', label: 'Failed' },
} as const

const FILTERS = [
  { value: 'any', label: 'All deliveries' },
  { value: 'pending', label: 'Pending' },
  { value: 'delivered', label: 'Delivered' },
  { value: 'failed', label: 'Failed' },
]

const rowId = ({ id }: WebhookDelivery) => id

interface EndpointDetailsProps {
  organisationQuery: { organization?: string }
  endpoint: WebhookEndpoint
  replaced: (secret: string) => void
}

export function EndpointDetails({ organisationQuery, endpoint, replaced }: EndpointDetailsProps) {
  const { id, url, disabled, formerSecretUntil } = endpoint
  const heading = useId()
  const [openDialog, setOpenDialog] = useState<'edit' | 'replace' | 'delete' | 'resend' | null>(null)
  const test = useAction(api.webhook.test, { invalidates: ['webhook'] })
  const enabled = disabled === null ? true : 'The endpoint is disabled. Enable it first.'
  const close = () => setOpenDialog(null)
  return (
    <section className="stack" aria-labelledby={heading}>
      <h2 id={heading} style={{ overflowWrap: 'anywhere' }}>
        Deliveries to {new URL(url).host}
      </h2>
      {formerSecretUntil !== null && (
        <p className="dim">
          The former secret signs too until <Instant at={formerSecretUntil} />.
        </p>
      )}
      <div className="row">
        <ReasonButton may={enabled} busy={test.isPending} onClick={() => test.mutate({ id })}>
          Send test event
        </ReasonButton>
        <ReasonButton may={enabled} variant="default" onClick={() => setOpenDialog('resend')}>
          Send deliveries again
        </ReasonButton>
        <Button variant="default" onClick={() => setOpenDialog('edit')}>
          Edit
        </Button>
        <Button variant="default" onClick={() => setOpenDialog('replace')}>
          Replace secret
        </Button>
        <Button variant="default" onClick={() => setOpenDialog('delete')}>
          Delete
        </Button>
      </div>
      <Deliveries endpoint={endpoint} />
      <Suspense>
        {openDialog === 'edit' && (
          <EndpointForm organisationQuery={organisationQuery} endpoint={endpoint} close={close} />
        )}
        {openDialog === 'resend' && <ResendForm id={id} close={close} />}
        {openDialog === 'replace' && <ReplaceSecret id={id} replaced={replaced} close={close} />}
        {openDialog === 'delete' && (
          <DeleteDialog
            name="webhook endpoint"
            remove={() => api.webhook.remove({ id })}
            invalidates={['webhook']}
            close={close}
          >
            <p>{url} receives no more events, and its deliveries are deleted. This cannot be undone.</p>
          </DeleteDialog>
        )}
      </Suspense>
    </section>
  )
}

function ReplaceSecret({ id, replaced, close }: { id: string; replaced: (secret: string) => void; close: () => void }) {
  const replacement = useAction(api.webhook.rotate, {
    invalidates: ['webhook'],
    onDone: ({ secret }) => replaced(secret),
    onSettled: close,
  })
  return (
    <ConfirmDialog
      title="Replace secret"
      confirm="Replace"
      busy={replacement.isPending && 'Replacing...'}
      onConfirm={() => replacement.mutate({ id })}
      close={close}
    >
      <p>
        A new signing secret is created. For {WEBHOOK_ROTATION_HOURS} hours each request is signed with both, so that
        your program can change to the new one.
      </p>
    </ConfirmDialog>
  )
}

function Deliveries({ endpoint: { id, url } }: { endpoint: WebhookEndpoint }) {
  const [state, setState] = useState('any')
  /** Cursor of each page that the user has opened, newest first. */
  const [pages, setPages] = useState<readonly (string | null)[]>([null])
  const [shown, setShown] = useState<string | null>(null)
  const before = pages.at(-1) ?? null
  const deliveries = useQuery({
    ...query(api.webhook.deliveries, {
      id,
      ...(state !== 'any' && { state: state as WebhookDelivery['state'] }),
      ...(before !== null && { beforeSequence: before }),
    }),
    placeholderData: keepPreviousData,
    refetchInterval: before === null ? REFRESH_MS : false,
  })
  const columns = useMemo(() => columnsFor(setShown), [])
  return (
    <>
      <Fetched query={deliveries} loading={<Skeleton rows={5} height="2.25rem" />}>
        {({ deliveries: rows, nextSequence: next }) => (
          <>
            <DataTable
              label={`Deliveries to ${url}`}
              rows={rows}
              rowId={rowId}
              columns={columns}
              empty={state === 'any' ? `No events in the last ${WEBHOOK_LOG_DAYS} days` : 'No deliveries in this state'}
              stacks
              tools={
                <NativeSelect
                  aria-label="State of the deliveries"
                  data={FILTERS}
                  {...controlledText(state, (chosen) => {
                    setState(chosen)
                    setPages([null])
                  })}
                />
              }
            />
            {(next !== null || pages.length > 1) && (
              <div className="row">
                <Button
                  variant="default"
                  disabled={pages.length === 1}
                  onClick={() => setPages((opened) => opened.slice(0, -1))}
                >
                  Newer
                </Button>
                <Button
                  variant="default"
                  disabled={next === null}
                  onClick={() => setPages((opened) => [...opened, next])}
                >
                  Older
                </Button>
              </div>
            )}
          </>
        )}
      </Fetched>
      <Suspense>{shown !== null && <DeliveryDialog id={shown} close={() => setShown(null)} />}</Suspense>
    </>
  )
}

const columnsFor = (show: (id: string) => void): readonly Column<WebhookDelivery>[] => [
  instantColumn('at', 'Time'),
  { id: 'type', header: 'Event', value: ({ type }) => type, cell: ({ type }) => <code>{type}</code> },
  {
    id: 'state',
    header: 'State',
    value: ({ state }) => STATES[state].label,
    cell: ({ state }) => <Lamp signal={STATES[state].signal}>{STATES[state].label}</Lamp>,
  },
  { id: 'status', header: 'Reply', value: ({ status, attempts }) => status ?? (attempts > 0 ? 'None' : '') },
  { id: 'attempts', header: 'Attempts', value: ({ attempts }) => attempts, align: 'end' },
  {
    id: 'next',
    header: 'Next attempt',
    value: ({ next }) => next ?? '',
    cell: ({ next, state }) =>
      next !== null ? <Instant at={next} /> : state === 'pending' ? 'After an earlier event' : '',
  },
  {
    id: 'show',
    header: 'Details',
    cell: ({ id, type }) => (
      <TextButton label={`Show this delivery of ${type}`} onClick={() => show(id)}>
        Show
      </TextButton>
    ),
  },
]
