import { useState } from 'react'
import type { RefusalOf, ReplyOf } from '@trainyard/platform/contract/call.ts'
import { api } from '@trainyard/platform/web/api/client.ts'
import { ApiError, messageOf } from '@trainyard/platform/web/api/error.ts'
import { useAction } from '@trainyard/platform/web/api/useAction.ts'
import { base64Of } from '@trainyard/platform/web/ui/base64.ts'
import type { guide } from '../contract/guide.ts'
import { GUIDE, GUIDE_ZIP_MAX } from '../contract/guide-words.ts'

type Imported = NonNullable<RefusalOf<typeof guide.upload>['imported']>

interface Refused {
  readonly message: string
  readonly findings: NonNullable<RefusalOf<typeof guide.upload>['findings']>
  readonly imported: Imported | null
}

/** Uploads the archive of a guide, and keeps what the server found in it. */
export function useUpload(whose: { readonly organization?: string }) {
  const [stored, setStored] = useState<ReplyOf<typeof guide.upload> | null>(null)
  const [refused, setRefused] = useState<Refused | null>(null)
  const sending = useAction(async (file: File) => api.guide.upload({ ...whose, bytes: await base64Of(file) }), {
    invalidates: ['guide'],
    onDone: setStored,
    onFailed: (error) => setRefused(refusalOf(error)),
  })
  const send = (file: File | undefined) => {
    if (file === undefined || sending.isPending) return
    setStored(null)
    setRefused(file.size > GUIDE_ZIP_MAX ? { message: GUIDE.tooLarge, findings: [], imported: null } : null)
    if (file.size <= GUIDE_ZIP_MAX) sending.mutate(file)
  }
  return {
    isSending: sending.isPending,
    stored,
    refused,
    /** Report about a guide of another product; null for our own format. */
    imported: stored?.imported ?? refused?.imported ?? null,
    send,
    choose() {
      const input = Object.assign(document.createElement('input'), { type: 'file', accept: '.zip,application/zip' })
      input.addEventListener('change', () => send(input.files?.[0]))
      input.click()
    },
  }
}

function refusalOf(error: Error): Refused {
  const { findings = [], imported = null } = ((error instanceof ApiError && error.reply) || {}) as RefusalOf<
    typeof guide.upload
  >
  return { message: findings.length > 0 ? GUIDE.refused(findings.length) : messageOf(error), findings, imported }
}
