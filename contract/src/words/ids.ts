declare const brand: unique symbol
export type Branded<T, Name extends string> = T & { readonly [brand]: Name }

export type OrganisationId = Branded<string, 'organisation'>
export type UserId = Branded<string, 'user'>
export type SessionId = Branded<string, 'session'>
export type ApiKeyId = Branded<string, 'API key'>
export type PasskeyId = Branded<string, 'passkey'>
export type TemplateId = Branded<string, 'template'>
export type TrainingId = Branded<string, 'training'>
export type OrderId = Branded<string, 'order'>
export type MachineId = Branded<string, 'machine'>
export type ScheduleId = Branded<string, 'schedule'>
export type RecurrenceId = Branded<string, 'recurrence'>
export type ImageId = Branded<string, 'image'>
export type BudgetId = Branded<string, 'budget'>
export type BudgetAlertId = Branded<string, 'budget alert'>
export type PaymentId = Branded<string, 'payment'>
export type PaymentRequestId = Branded<string, 'payment request'>
export type RefundId = Branded<string, 'refund'>
export type ReminderId = Branded<string, 'reminder'>
export type TaxDocumentId = Branded<string, 'tax document'>
export type TaxStatusRequestId = Branded<string, 'tax status request'>
export type SandboxId = Branded<string, 'sandbox'>
export type SandboxUserId = Branded<string, 'sandbox user'>
export type CostImportId = Branded<string, 'cost import'>
export type OrphanId = Branded<string, 'orphan'>
