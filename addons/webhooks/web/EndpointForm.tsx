import { Checkbox, TextInput } from '@mantine/core'
import '@mantine/core/styles/Checkbox.layer.css'
import { useState } from 'react'
import type { BodyOf } from '@trainyard/platform/contract/call.ts'
import type { Contract } from '@trainyard/platform/contract/contract.ts'
import type { WebhookEndpoint } from '../contract/webhook.ts'
import { WEBHOOK_DESCRIPTION_LENGTH, WEBHOOK_URL_LENGTH } from '../contract/webhook-words.ts'
import { publishedEvents } from 'virtual:published-events'
import { api } from '@trainyard/platform/web/api/client.ts'
import { useAction } from '@trainyard/platform/web/api/useAction.ts'
import { FormDialog } from '@trainyard/platform/web/ui/FormDialog.tsx'
import { controlledText } from '@trainyard/platform/web/ui/typed-fields.tsx'

type EventType = BodyOf<Contract['webhook']['create']>['events'][number]
const TYPES = Object.keys(publishedEvents)

interface EndpointFormProps {
  organisationQuery: { organization?: string }
  /** null: a new endpoint. */
  endpoint: WebhookEndpoint | null
  close: () => void
  created?: (secret: string) => void
}

export default function EndpointForm({ organisationQuery, endpoint, close, created }: EndpointFormProps) {
  const [url, setUrl] = useState(endpoint?.url ?? '')
  const [description, setDescription] = useState(endpoint?.description ?? '')
  const [all, setAll] = useState(endpoint === null || endpoint.events.length === 0)
  const [events, setEvents] = useState<readonly string[]>(endpoint?.events ?? [])
  const [enabled, setEnabled] = useState(endpoint?.disabled === null || endpoint === null)
  const [tried, setTried] = useState(false)
  const creation = useAction(api.webhook.create, {
    invalidates: ['webhook'],
    onDone({ secret }) {
      close()
      created?.(secret)
    },
  })
  const change = useAction(api.webhook.change, { invalidates: ['webhook'], onDone: close })
  const missesUrl = url.trim() === ''
  const missesEvents = !all && events.length === 0
  return (
    <FormDialog
      title={endpoint === null ? 'Add endpoint' : 'Edit endpoint'}
      submit={endpoint === null ? 'Add' : 'Save'}
      busy={(creation.isPending && 'Adding...') || (change.isPending && 'Saving...')}
      close={close}
      onSubmit={() => {
        setTried(true)
        if (missesUrl || missesEvents) return
        const fields = {
          url: url.trim(),
          description: description.trim(),
          events: all ? [] : (events as EventType[]),
        }
        if (endpoint === null) creation.mutate({ ...organisationQuery, ...fields })
        else change.mutate({ id: endpoint.id, ...fields, enabled })
      }}
    >
      <TextInput
        data-autofocus
        label="Address"
        description="The portal sends POST requests to it. It must be public and start with https://."
        placeholder="https://example.com/webhooks"
        autoComplete="off"
        inputMode="url"
        maxLength={WEBHOOK_URL_LENGTH}
        error={tried && missesUrl && 'Enter an address.'}
        {...controlledText(url, setUrl)}
      />
      <TextInput
        label="Description"
        description="The program that receives the events, such as Chat of the support team"
        autoComplete="off"
        maxLength={WEBHOOK_DESCRIPTION_LENGTH}
        {...controlledText(description, setDescription)}
      />
      {endpoint !== null && (
        <Checkbox
          label="Enabled"
          description="A disabled endpoint receives nothing. Its pending deliveries fail."
          checked={enabled}
          onChange={(event) => setEnabled(event.currentTarget.checked)}
        />
      )}
      <Checkbox
        label="Send all events"
        description="Also those that a later version adds"
        checked={all}
        onChange={(event) => setAll(event.currentTarget.checked)}
      />
      {!all && (
        <Checkbox.Group
          label="Events"
          value={[...events]}
          onChange={(chosen) => setEvents(TYPES.filter((type) => chosen.includes(type)))}
          error={tried && missesEvents && 'Select at least one event.'}
        >
          <div className="stack">
            {TYPES.map((type) => (
              <Checkbox key={type} value={type} label={publishedEvents[type]} description={type} />
            ))}
          </div>
        </Checkbox.Group>
      )}
    </FormDialog>
  )
}
