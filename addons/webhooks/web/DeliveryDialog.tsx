import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReplyOf } from '@trainyard/platform/contract/call.ts'
import type { Contract } from '@trainyard/platform/contract/contract.ts'
import { api } from '@trainyard/platform/web/api/client.ts'
import { query } from '@trainyard/platform/web/api/queries.ts'
import { useAction } from '@trainyard/platform/web/api/useAction.ts'
import { CloseButton, Dialog } from '@trainyard/platform/web/ui/Dialog.tsx'
import { Fetched } from '@trainyard/platform/web/ui/Fetched.tsx'
import { Instant } from '@trainyard/platform/web/ui/Instant.tsx'
import { Skeleton } from '@trainyard/platform/web/ui/Skeleton.tsx'
import styles from './Webhooks.module.css'

type Attempt = ReplyOf<Contract['webhook']['delivery']>['attempts'][number]

export default function DeliveryDialog({ id, close }: { id: string; close: () => void }) {
  const delivery = useQuery(query(api.webhook.delivery, { id }))
  const resend = useAction(api.webhook.resend, { invalidates: ['webhook'], onDone: close })
  return (
    <Dialog
      title="Delivery"
      wide
      close={close}
      foot={
        <>
          <CloseButton close={close} />
          <Button onClick={() => resend.mutate({ range: 'one', delivery: id })}>
            {resend.isPending ? 'Sending...' : 'Send again'}
          </Button>
        </>
      }
    >
      <Fetched query={delivery} loading={<Skeleton rows={6} height="2.25rem" />}>
        {(data) => (
          <>
            <h3>
              {data.delivery.type} to <span className={styles.address}>{data.url}</span>
            </h3>
            <Text label="Body of the request" text={JSON.stringify(JSON.parse(data.body), null, 2)} />
            {data.attempts.length === 0 && <p>No attempt has been made yet.</p>}
            {data.attempts.map((attempt, place) => (
              <AttemptView key={attempt.at} attempt={attempt} number={place + 1} />
            ))}
          </>
        )}
      </Fetched>
    </Dialog>
  )
}

function AttemptView({ attempt, number }: { attempt: Attempt; number: number }) {
  const { at, milliseconds, requestHeaders, response, failure } = attempt
  return (
    <section className={styles.block}>
      <h3>
        Attempt {number}, <Instant at={at} />
      </h3>
      <p>
        {response === null ? failure : `Replied ${response.status}`} after {milliseconds} ms
      </p>
      <Text label={`Headers of request ${number}`} text={headerLines(requestHeaders)} />
      {response !== null && (
        <Text
          label={`Reply to request ${number}`}
          text={`${headerLines(response.headers)}\n\n${response.body}`.trim()}
        />
      )}
    </section>
  )
}

const headerLines = (headers: Readonly<Record<string, string>>) =>
  Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n')

function Text({ label, text }: { label: string; text: string }) {
  return (
    <div className={styles.block}>
      <h4>{label}</h4>
      {/* Long content scrolls, so the keyboard must be able to focus it. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <pre className={styles.text} tabIndex={0} aria-label={label}>
        {text}
      </pre>
    </div>
  )
}
