import type {
  WebhookEndpointId,
  OrganisationId,
  WebhookEventId,
  WebhookDeliveryId,
} from '@trainyard/platform/contract/words/ids.ts'
import type { Generated, Selectable, GeneratedAlways, ColumnType } from 'kysely'

export interface WebhookEndpointTable {
  id: Generated<WebhookEndpointId>
  organisation_id: OrganisationId
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

export interface WebhookEventTable {
  id: Generated<WebhookEventId>
  sequence: GeneratedAlways<number>
  organisation_id: OrganisationId
  type: string
  resource: string
  data: ColumnType<unknown, string, string>
  created_at: Generated<Date>
}

export type WebhookEventRow = Selectable<WebhookEventTable>

export interface WebhookDeliveryTable {
  id: Generated<WebhookDeliveryId>
  organisation_id: OrganisationId
  event_id: WebhookEventId
  endpoint_id: WebhookEndpointId
  sequence: number
  resource: string
  state: Generated<'pending' | 'delivered' | 'failed'>
  attempts: Generated<number>
  first_attempt_at: Date | null
}

export type WebhookDeliveryRow = Selectable<WebhookDeliveryTable>

export interface WebhookLaneTable {
  endpoint_id: WebhookEndpointId
  resource: string
  organisation_id: OrganisationId
  due_at: Generated<Date>
  leased_until: Date | null
  fence: Generated<number>
}

export type WebhookLaneRow = Selectable<WebhookLaneTable>

export interface WebhookAttemptTable {
  id: GeneratedAlways<number>
  delivery_id: WebhookDeliveryId
  organisation_id: OrganisationId
  at: Generated<Date>
  milliseconds: number
  request_headers: ColumnType<unknown, string, string>
  status: number | null
  response_headers: ColumnType<unknown, string | null | undefined, string | null>
  response_body: string | null
  error: string | null
}

export type WebhookAttemptRow = Selectable<WebhookAttemptTable>

export interface WebhooksTables {
  webhook_endpoint: WebhookEndpointTable
  webhook_event: WebhookEventTable
  webhook_delivery: WebhookDeliveryTable
  webhook_lane: WebhookLaneTable
  webhook_attempt: WebhookAttemptTable
}
declare module '@trainyard/platform/server/db/schema.ts' {
  interface Schema extends WebhooksTables {}
}
