import type { FileReply } from '@trainyard/platform/server/core/handler.ts'
import { conflict } from '@trainyard/platform/server/core/errors.ts'
import type { Db } from '@trainyard/platform/server/db/schema.ts'
import { fileName, type IssuedDocument } from './read.ts'

export async function pdfFile(db: Db, { id, document }: IssuedDocument): Promise<FileReply> {
  const { pdf } = await db
    .selectFrom('tax_document as d')
    .leftJoin('tax_document_registration as r', 'r.document_id', 'd.id')
    .leftJoin('e_invoice_cancellation as c', 'c.document_id', 'd.id')
    .select((eb) => eb.fn.coalesce('c.pdf', 'r.pdf', 'd.pdf').as('pdf'))
    .where('d.id', '=', id)
    .executeTakeFirstOrThrow()
  return file(fileName(document.number!, 'pdf'), 'application/pdf', pdf)
}

/** @throws Problem conflict for a voucher, which INV-01 does not cover */
export async function jsonFile(db: Db, { id, document }: IssuedDocument): Promise<FileReply> {
  const { e_invoice, irn } = await db
    .selectFrom('tax_document as d')
    .leftJoin('tax_document_registration as r', 'r.document_id', 'd.id')
    .select(['d.e_invoice', 'r.irn'])
    .where('d.id', '=', id)
    .executeTakeFirstOrThrow()
  if (e_invoice === null) throw conflict('Vouchers have no INV-01 form.')
  const { Version, ...rest } = e_invoice as { Version: string }
  const form = { Version, ...(irn !== null && { Irn: irn }), ...rest }
  return file(fileName(document.number!, 'json'), 'application/json', JSON.stringify(form, null, 2))
}

const file = (name: string, type: string, content: string | Buffer): FileReply => ({ name, type, content: [content] })
