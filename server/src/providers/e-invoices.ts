/** The e-invoice portal of GST (IRP), or a service provider (GSP) with its interface. */
export interface EInvoices {
  /**
   * Registers a document. A document that is already registered is not an error: its registration is returned.
   * @param form INV-01 as JSON
   * @throws EInvoiceError, also if the reply is about another document or is not signed by the portal
   */
  register(document: DocumentToRegister, signal: AbortSignal): Promise<EInvoiceRegistration>

  /**
   * Cancels a registration. A registration that is already cancelled is not an error.
   * @throws EInvoiceError of the kind `expired` if the portal no longer cancels the registration, and it is not cancelled
   */
  cancel(registration: RegistrationToCancel, signal: AbortSignal): Promise<void>
}

export interface DocumentToRegister {
  readonly supplierGstin: string
  readonly number: string
  /** Registration number (IRN) that the portal must assign, by the rule of INV-01. */
  readonly irn: string
  readonly form: string
}

export interface RegistrationToCancel {
  readonly supplierGstin: string
  readonly irn: string
  readonly reason: 'duplicate' | 'data entry mistake' | 'order cancelled' | 'other'
  /** At most 100 characters. */
  readonly remark: string
}

export interface EInvoiceRegistration {
  readonly irn: string
  readonly ackNumber: string
  readonly ackDate: Date
  readonly signedQr: string
}

/** Read-only queries to the e-invoice portal. Throws only `EInvoiceError`. */
export interface EInvoicesDiagnosis {
  /** Signs in for a GST number. */
  signIn(gstin: string, signal: AbortSignal): Promise<void>
}

export class EInvoiceError extends Error {
  override readonly name = 'EInvoiceError'
  /**
   * `untrusted`: the reply contradicts the document, or its signature is invalid. `expired`: the time limit of a
   * cancellation has passed.
   */
  readonly kind: 'unreachable' | 'throttled' | 'unauthorised' | 'refused' | 'untrusted' | 'expired'

  constructor(kind: EInvoiceError['kind'], message: string, cause?: unknown) {
    super(message, { cause })
    this.kind = kind
  }
}
