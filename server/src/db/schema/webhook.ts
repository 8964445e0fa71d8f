import type { ColumnType, Generated, Selectable } from 'kysely'
import type {
  OrganisationId,
  WebhookDeliveryId,
  WebhookEndpointId,
  WebhookEventId,
} from '@trainyard/contract/words/ids.ts'
import type { DefaultId, Immutable, ReadOnly } from './columns.ts'

export interface WebhookEndpointTable {
  id: DefaultId<WebhookEndpointId>
  organisation_id: Immutable<OrganisationId>
  url: string
  description: string
  events: string[]
  secret: Buffer
  former_secret: Buffer | null
  former_until: Date | null
  created_at: Generated<Date>
  disabled_at: Date | null
  disabled_reason: 'user' | 'gone' | 'failing' | null
  failing_since: Date | null
}
export type WebhookEndpointRow = Selectable<WebhookEndpointTable>

/** Only the SQL function `deliver_webhook_event` writes this table. */
export interface WebhookEventTable {
  id: ReadOnly<WebhookEventId>
  sequence: ReadOnly<number>
  organisation_id: ReadOnly<OrganisationId>
  type: ReadOnly<string>
  resource: ReadOnly<string>
  data: ColumnType<unknown, string, never>
  created_at: ReadOnly<Date>
}

/** Only the SQL function `deliver_webhook_event` writes this table. */
export interface WebhookDeliveryTable {
  id: ReadOnly<WebhookDeliveryId>
  organisation_id: ReadOnly<OrganisationId>
  event_id: ReadOnly<WebhookEventId>
  endpoint_id: ReadOnly<WebhookEndpointId>
  sequence: ReadOnly<number>
  resource: ReadOnly<string>
  state: 'pending' | 'delivered' | 'failed'
  attempts: number
  first_attempt_at: Date | null
}

export interface WebhookLaneTable {
  endpoint_id: Immutable<WebhookEndpointId>
  resource: Immutable<string>
  organisation_id: Immutable<OrganisationId>
  due_at: Generated<Date>
  leased_until: Date | null
  fence: Generated<number>
}

export interface WebhookAttemptTable {
  id: ReadOnly<number>
  delivery_id: Immutable<WebhookDeliveryId>
  organisation_id: Immutable<OrganisationId>
  at: Generated<Date>
  milliseconds: number
  request_headers: ColumnType<unknown, string, never>
  status: number | null
  response_headers: ColumnType<unknown, string | null, never>
  response_body: string | null
  error: string | null
}
