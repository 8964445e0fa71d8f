/** States of a request to change the tax status. */
export const STATUS_REQUEST_STATES = ['open', 'approved', 'rejected', 'withdrawn'] as const
export type StatusRequestState = (typeof STATUS_REQUEST_STATES)[number]

export const STATUS_REQUEST_LABELS: Readonly<Record<StatusRequestState, string>> = {
  open: 'Waiting for a decision',
  approved: 'Approved',
  rejected: 'Rejected',
  withdrawn: 'Withdrawn',
}

/** Days after which the document of a withdrawn request is deleted. */
export const WITHDRAWN_DOCUMENT_DAYS = 30

/** A request body is at most 1 MB large, and base64 needs four characters for three bytes. */
export const STATUS_DOCUMENT_BYTES_MAX = 700 * 1024

export const STATUS_DOCUMENT_TYPES = ['application/pdf', 'image/png', 'image/jpeg'] as const
export type StatusDocumentType = (typeof STATUS_DOCUMENT_TYPES)[number]

/** Sentence for a combination of place and GST number that has no tax treatment, or null. */
export function statusProblem(place: 'india' | 'sez' | 'abroad', gstin: string | null): string | null {
  if (place === 'sez' && gstin === null) return 'A customer in an SEZ needs a GST number.'
  if (place === 'abroad' && gstin !== null) return 'A customer abroad cannot have a GST number.'
  return null
}

export const ADMIN_CANNOT_CHANGE_STATUS =
  'The GST number and the place decide the tax on invoices. Request the change with a document under Tax Status.'
