/** Column that names the person of a row: by user, by e-mail address, or by another identifier. */
export type Owner =
  | { readonly user: string }
  | { readonly address: string }
  | { readonly lmsSubject: string; readonly lmsOf: 'platform_id' | 'course_id' | 'link_id' }
  | { readonly scimUser: string }
  | { readonly remoteSession: string }

/** Columns are separated by spaces. Every column that can contain text or bytes is in one of the lists. */
export interface TableData {
  /** Null: no row belongs to a person. */
  readonly owner: Owner | null
  /** Heading of the table in an export; required for tables with an owner. */
  readonly title?: string
  /** Erasure of the person's rows. With `keep` they remain under a pseudonym, for usage, attendance and money. */
  readonly erase?: 'delete' | 'keep'
  /** `delete`: erasure deletes each row with the address in `mentions`. Otherwise it replaces the address. */
  readonly ifMentioned?: 'delete'
  /** Texts and documents that can contain an e-mail address. */
  readonly mentions?: string
  /** Columns of `mentions` with the address of a former owner of the row. Exported only if it is the person's own address. */
  readonly formerOwner?: string
  /** Personal details without an address. Erasure clears them in rows that it does not delete. */
  readonly details?: string
  /** Hashes, keys and encrypted values. Never exported; deleted with their row. */
  readonly secrets?: string
  /** Documents that the law requires unchanged. The reasons are in docs/privacy.md. */
  readonly requiredByLaw?: string
  /** Data that is not personal: codes, names of things, places. */
  readonly other?: string
}

/** Returns the data of a table whose rows belong to no person. */
const withoutOwner = (other: string, mentions = '', secrets = ''): TableData => ({
  owner: null,
  mentions,
  secrets,
  other,
})

/**
 * Every table of the schema `public`. A test compares it with the database, so that a new column must be listed here
 * before it can be used.
 */
export const PERSONAL_DATA: Readonly<Record<string, TableData>> = {
  account_control: {
    owner: { user: 'user_id' },
    title: 'Superadmins who changed the account',
    erase: 'delete',
    other: 'reason',
  },
  activity_stretch: withoutOwner(''),
  announcement: withoutOwner('', 'text made_by'),
  api_key: {
    owner: { user: 'user_id' },
    title: 'API keys',
    erase: 'delete',
    mentions: 'name',
    details: 'networks used_address',
    secrets: 'token_hash',
    other: 'prefix kind role scopes',
  },
  // The module server/src/domain/audit/erasure.ts erases these columns.
  audit: withoutOwner('request_id call actor_role refused actor_email detail address before after'),
  audit_archive: withoutOwner('file', '', 'chain file_hash public_key signature'),
  audit_erasure: withoutOwner('', '', 'row_hash public_key signature'),
  audit_head: withoutOwner('', '', 'chain public_key signature'),
  audit_seal: withoutOwner('', '', 'row_hash previous chain'),
  authenticator_app: { owner: { user: 'user_id' }, title: 'Authenticator app', erase: 'delete', secrets: 'secret' },
  aws_account: withoutOwner('id quarantined'),
  aws_user: {
    owner: { address: 'personal_email' },
    title: 'Lab users at AWS',
    erase: 'keep',
    mentions: 'email personal_email last_error',
    details: 'username',
    secrets: 'first_password',
    other: 'aws_account desired',
  },
  azure_user: {
    owner: { address: 'personal_email' },
    title: 'Lab users at Azure',
    erase: 'keep',
    mentions: 'email personal_email last_error',
    secrets: 'first_password access_pass',
    other: 'desired object_id',
  },
  budget: withoutOwner('', 'set_by'),
  budget_alert: withoutOwner('kind'),
  budget_alert_seen: { owner: { user: 'user_id' }, title: 'Budget alerts seen', erase: 'delete' },
  calendar_link: { owner: { user: 'user_id' }, title: 'Calendar links', erase: 'delete', secrets: 'token_hash' },
  call_bucket: withoutOwner('name'),
  carried_month: withoutOwner(''),
  challenge: {
    owner: { user: 'user_id' },
    title: 'Started sign-ins',
    erase: 'delete',
    secrets: 'token_hash password_digest bound_to',
    other: 'purpose',
  },
  change_request: {
    owner: { user: 'asked_by' },
    title: 'Requests',
    erase: 'delete',
    mentions: 'email reason decided_by answer',
    other: 'kind state',
  },
  charged_line: withoutOwner('entry_kind invoice'),
  class_series: withoutOwner('', 'created_by'),
  class_session: withoutOwner('time_zone'),
  cloud_limit: withoutOwner('location family'),
  cloud_place: withoutOwner('location'),
  cloud_size: withoutOwner('location size family withheld'),
  cloud_terms: withoutOwner('publisher product plan'),
  cost_adoption: withoutOwner('provider of value', 'adopted_by'),
  cost_import: withoutOwner('state digest format', 'file_names made_by bad_lines summary refusal'),
  // Parts of a file while it is uploaded.
  cost_import_part: withoutOwner('', '', 'bytes'),
  cost_line: withoutOwner('provider account kind service currency', 'identity'),
  cost_resource: withoutOwner('provider kind tag', 'key name resource_group tag_value'),
  credit_terms: withoutOwner(''),
  customer_ledger: withoutOwner('name'),
  day_total: withoutOwner(''),
  customer_price: withoutOwner('kind item', 'decided_by'),
  document_series: withoutOwner('supplier_gstin prefix financial_year'),
  expiring_credential: withoutOwner('name'),
  file_transfer: {
    owner: { address: 'email' },
    title: 'File transfers',
    erase: 'delete',
    mentions: 'email path result',
    secrets: 'session_hash digest',
    other: 'direction',
  },
  holiday: withoutOwner('name', 'created_by'),
  identity_provider: withoutOwner('issuer client_id group_claim', '', 'client_secret'),
  identity_provider_group: withoutOwner('name role'),
  image: withoutOwner('image_id', 'asked_by failed last_error'),
  imported_lab: withoutOwner('resource_key training_name', 'source applied moved_by'),
  invitation: {
    owner: { user: 'user_id' },
    title: 'Invitations',
    erase: 'delete',
    mentions: 'new_email bounce',
    other: 'purpose issuer subject',
  },
  invoice_reminder: withoutOwner('entry_kind invoice', 'sent_to'),
  lab_import: withoutOwner('kind tenant_id client_id', 'name made_by last_error', 'client_secret'),
  settlement: withoutOwner('id utr'),
  settlement_day: withoutOwner(''),
  settlement_entry: withoutOwner('settlement'),
  // Descriptions are those of the provider.
  settlement_line: withoutOwner('id type settlement currency', 'description'),
  settlement_posting: withoutOwner('account'),
  ledger_account: withoutOwner('code name'),
  ledger_balance: withoutOwner(''),
  ledger_entry: {
    ...withoutOwner(
      `kind reference source refund_of tds_section tds_year reverses reversed_kind settles settled_kind deducted_from
    deducted_kind`,
      'particular created_by',
    ),
    requiredByLaw: 'entered_document',
  },
  lms_course: withoutOwner('deployment_id context_id title memberships_url', 'roster_problem'),
  lms_deployment: withoutOwner('deployment_id'),
  lms_identity: { owner: { user: 'user_id' }, title: 'Accounts at an LMS', erase: 'delete', other: 'issuer subject' },
  lms_key: withoutOwner('modulus exponent', '', 'private_key'),
  lms_launch: withoutOwner('', '', 'state_hash proof_hash'),
  lms_link: withoutOwner('resource_link_id title line_item_url', 'score_problem'),
  lms_member: {
    owner: { lmsSubject: 'subject', lmsOf: 'course_id' },
    title: 'Courses at an LMS',
    erase: 'delete',
    mentions: 'name',
    other: 'subject role',
  },
  lms_platform: withoutOwner(
    'name issuer client_id authorization_url token_url token_audience key_set_url frame_origin',
    '',
    'registration_hash',
  ),
  lms_score: {
    owner: { lmsSubject: 'subject', lmsOf: 'link_id' },
    title: 'Scores sent to an LMS',
    erase: 'delete',
    mentions: 'problem',
    other: 'subject',
  },
  lms_ticket: {
    owner: { lmsSubject: 'subject', lmsOf: 'platform_id' },
    title: 'Launches from an LMS',
    erase: 'delete',
    ifMentioned: 'delete',
    mentions: 'name email return_url return_data',
    secrets: 'token_hash proof_hash',
    other: 'issuer subject view',
  },
  login_lane: withoutOwner('', '', 'lane'),
  machine: {
    owner: { address: 'email' },
    title: 'Machines',
    erase: 'keep',
    mentions: 'name email ordered_for ended last_error stop_reason',
    formerOwner: 'ordered_for',
    secrets: 'admin_password host_key desktop_certificate',
    other: `resource_group location vnet vm_size image_id os licence plan_publisher plan_product plan_version
      admin_username desired observed public_ip command azure_tags disk_sku disk_encryption_set`,
  },
  machine_activity: withoutOwner(''),
  machine_order: withoutOwner('template_name', 'ordered_by'),
  notification: {
    owner: { user: 'about_user' },
    title: 'Notifications about the user',
    erase: 'delete',
    mentions: 'data',
    other: 'kind audience',
  },
  notification_read: { owner: { user: 'user_id' }, title: 'Notifications read', erase: 'delete' },
  operation: withoutOwner('kind vm_size location', 'reason'),
  organisation: withoutOwner(
    'name time_zone logo gst second_factor management_sources azure_tags',
    // A person can be the contact.
    'help_email',
  ),
  organisation_billing: withoutOwner(
    'legal_name place address_line1 address_line2 city pin state country purchase_order cost_centre',
    'emails',
  ),
  organisation_domain: withoutOwner('domain verified_by'),
  organisation_privacy: withoutOwner('notice_url', 'responsible contact purpose'),
  organisation_logo: withoutOwner('type', '', 'digest bytes'),
  orphan: withoutOwner('resource_group', 'name tag deletion_asked_by last_error'),
  part_state: withoutOwner('part'),
  passkey: {
    owner: { user: 'user_id' },
    title: 'Passkeys',
    erase: 'delete',
    mentions: 'name',
    secrets: 'public_key credential_id',
    other: 'transports',
  },
  payment: withoutOwner('order_id credited settles', 'asked_by last_error'),
  payment_request: withoutOwner('', 'about asked_by sent_to'),
  overdue_notice: withoutOwner('stage entry_kind invoice', 'sent_to'),
  overdue_stop: withoutOwner(''),
  person_erasure: withoutOwner('email problem', 'asked_by report'),
  port: withoutOwner('protocol source'),
  portal_user: {
    owner: { user: 'id' },
    title: 'Account',
    erase: 'delete',
    mentions: 'email name',
    secrets: 'password_hash',
    other: 'role time_zone',
  },
  posting: withoutOwner('account'),
  prepaid_account: withoutOwner(''),
  prepaid_purchase: withoutOwner('payment payment_kind'),
  price_change: withoutOwner(''),
  proforma_payment: withoutOwner('payment payment_kind', 'recorded_by'),
  quote: {
    ...withoutOwner('number state proforma invoice invoice_kind', 'created_by decided_by answer'),
    requiredByLaw: 'lines content pdf proforma_content proforma_pdf',
  },
  quote_series: withoutOwner('kind financial_year'),
  private_network: withoutOwner(
    'name route ranges held_at agent_version agent_address agent_ranges duplicate_addresses',
    '',
    'ticket_key ticket_public_key enrolment_hash agent_key',
  ),
  provider_identity: {
    owner: { user: 'user_id' },
    title: 'Accounts at the organisation’s identity provider',
    erase: 'delete',
    other: 'issuer subject',
  },
  provider_sign_in: {
    owner: { user: 'tested_by' },
    title: 'Started tests of the identity provider',
    erase: 'delete',
    secrets: 'token_hash',
  },
  raised_hand: {
    owner: { address: 'email' },
    title: 'Raised hands',
    erase: 'delete',
    mentions: 'email',
    other: 'reason',
  },
  ready_by: withoutOwner('date time time_zone', 'asked_by'),
  ready_machine: withoutOwner('', 'refused'),
  recovery_code: { owner: { user: 'user_id' }, title: 'Recovery codes', erase: 'delete', secrets: 'code_hash' },
  recurrence: withoutOwner('action time_zone', 'created_by'),
  refund: withoutOwner('payment entry_kind state number', 'reason asked_by last_error'),
  registration: {
    owner: { user: 'user_id' },
    title: 'Seats of registration links',
    erase: 'delete',
    mentions: 'decided_by',
    other: 'state',
  },
  registration_email: {
    owner: { address: 'email' },
    title: 'E-mails of registration links',
    erase: 'delete',
    mentions: 'email',
  },
  registration_link: withoutOwner('domains', 'name problem made_by revoked_by', 'code_hash code'),
  remote_input: {
    owner: { remoteSession: 'remote_session_id' },
    title: 'Periods of input in the browser',
    erase: 'keep',
  },
  remote_opening: {
    owner: { user: 'user_id' },
    title: 'Waiting times for machines',
    erase: 'delete',
    secrets: 'ticket_hash',
    other: 'kind vm_size location',
  },
  remote_session: {
    owner: { address: 'email' },
    title: 'Connections to machines',
    erase: 'keep',
    mentions: 'email ended',
    secrets: 'session_hash ticket_hash',
    other: 'kind held_at',
  },
  remote_ticket: {
    owner: { user: 'user_id' },
    title: 'Tickets for connections',
    erase: 'delete',
    secrets: 'token_hash session_hash',
  },
  remote_watch: {
    owner: { address: 'email' },
    title: 'Screens watched',
    erase: 'keep',
    mentions: 'email ended',
    secrets: 'session_hash view_hash',
  },
  roster: withoutOwner('kind external_key machine_rule', 'name made_by'),
  roster_member: {
    owner: { address: 'email' },
    title: 'Lists of members',
    erase: 'delete',
    mentions: 'external_id email name problem',
    other: 'role',
  },
  run: withoutOwner(''),
  run_total: withoutOwner(''),
  sandbox: withoutOwner('provider group_name location desired access not_priced', 'last_error'),
  sandbox_charge: withoutOwner('', 'resources'),
  schedule: withoutOwner('action time_zone', 'created_by'),
  schedule_outcome: withoutOwner('outcome', 'reason'),
  scim_group: withoutOwner('display_name external_id role'),
  scim_group_member: {
    owner: { scimUser: 'value' },
    title: 'Groups of the organisation’s directory',
    erase: 'delete',
    mentions: 'display',
    other: 'value',
  },
  scim_token: withoutOwner('prefix name used_address', 'created_by', 'token_hash'),
  scim_user: {
    owner: { user: 'user_id' },
    title: 'Record of the organisation’s directory',
    erase: 'delete',
    ifMentioned: 'delete',
    mentions: 'user_name external_id emails data',
  },
  second_factor_reset: { owner: { user: 'user_id' }, title: 'Resets of the second factor', erase: 'delete' },
  security_group: withoutOwner('resource_group location', 'last_error'),
  session: {
    owner: { user: 'user_id' },
    title: 'Sessions',
    erase: 'delete',
    secrets: 'token_hash',
    details: 'address user_agent',
  },
  stored_reply: {
    owner: { user: 'actor_id' },
    title: 'Stored replies',
    erase: 'delete',
    ifMentioned: 'delete',
    mentions: 'reply',
    secrets: 'body_hash',
    other: 'key call',
  },
  supplier: withoutOwner(
    `legal_name gstin address_line1 address_line2 city pin state phone bank_name account_name account_number ifsc
    signatory sac invoice_prefix credit_note_prefix receipt_prefix issuing reminders refund_prefix turnover
    financial_note_prefix debit_note_prefix cin`,
    'email',
  ),
  task: withoutOwner('name', 'last_error'),
  task_on_worker: withoutOwner('worker name', 'last_error'),
  tax_document: {
    ...withoutOwner(
      `kind supplier_gstin prefix financial_year number payment paid_kind refund refund_kind entry_kind`,
      'created_by',
    ),
    requiredByLaw: 'content e_invoice pdf',
  },
  tax_document_registration: { ...withoutOwner('irn ack_number signed_qr', 'recorded_by'), requiredByLaw: 'pdf' },
  e_invoice_cancellation: { ...withoutOwner('reason', 'recorded_by'), requiredByLaw: 'pdf' },
  tax_rate: withoutOwner(''),
  tax_status: withoutOwner('place gstin', 'reason decided_by'),
  tax_status_request: {
    ...withoutOwner('place gstin document_type state', 'reason document_name asked_by decided_by answer'),
    requiredByLaw: 'document',
  },
  tds_certificate: withoutOwner('entry_kind entry certificate', 'recorded_by'),
  template: withoutOwner(
    `name resource_group location vnet vm_size image_id os licence plan_publisher plan_product plan_version cpu memory
    storage disk azure_tags disk_sku disk_encryption_set`,
    'refusal',
  ),
  template_assignment: withoutOwner(''),
  training: withoutOwner('name'),
  training_instructor: {
    owner: { user: 'user_id' },
    title: 'Trainings led',
    erase: 'delete',
    mentions: 'added_by',
    other: 'role',
  },
  undertaking: withoutOwner('financial_year number'),
  webhook_attempt: {
    ...withoutOwner('', 'request_headers response_headers response_body error'),
    ifMentioned: 'delete',
  },
  webhook_delivery: { ...withoutOwner('state', 'resource'), ifMentioned: 'delete' },
  webhook_endpoint: withoutOwner('events disabled_reason', 'url description', 'secret former_secret'),
  webhook_event: { ...withoutOwner('type', 'resource data'), ifMentioned: 'delete' },
  webhook_lane: { ...withoutOwner('', 'resource'), ifMentioned: 'delete' },
  whole_sweep: withoutOwner(''),
  worker_pulse: withoutOwner('worker'),
}

export const columnsIn = (list: string | undefined): string[] => (list ?? '').split(/\s+/).filter(Boolean)
