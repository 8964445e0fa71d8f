import { useCallback, useState } from 'react'
import type { BodyOf, RefusalOf, ReplyOf } from '@trainyard/platform/contract/call.ts'
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

/** Repository, branch and folder of a guide. */
export type GitPlace = Omit<BodyOf<typeof guide.fetch>, 'organization'>

/** Uploads the archive of a guide, or fetches it from Git, and keeps what the server found in it. */
export function useUpload(whose: { readonly organization?: string }) {
  const [stored, setStored] = useState<ReplyOf<typeof guide.upload> | null>(null)
  const [refused, setRefused] = useState<Refused | null>(null)
  const sending = useAction(
    async (from: File | GitPlace): Promise<ReplyOf<typeof guide.upload>> =>
      from instanceof File
        ? api.guide.upload({ ...whose, bytes: await base64Of(from) })
        : api.guide.fetch({ ...whose, ...from }),
    {
      invalidates: ['guide'],
      onDone: setStored,
      onFailed: (error) => setRefused(refusalOf(error)),
    },
  )
  const { mutate } = sending
  const send = useCallback(
    (from: File | GitPlace | undefined, done?: () => void) => {
      if (from === undefined) return
      const isTooLarge = from instanceof File && from.size > GUIDE_ZIP_MAX
      setStored(null)
      setRefused(isTooLarge ? { message: GUIDE.tooLarge, findings: [], imported: null } : null)
      if (!isTooLarge) mutate(from, { onSuccess: () => done?.() })
    },
    [mutate],
  )
  return {
    /** Name of the source that is being read; undefined without one. */
    sending: sending.isPending ? sending.variables : undefined,
    stored,
    refused,
    /** Report about a guide of another product; null for our own format. */
    imported: stored?.imported ?? refused?.imported ?? null,
    /** @param done runs when the guide is stored */
    send,
    choose(done: () => void) {
      const input = Object.assign(document.createElement('input'), { type: 'file', accept: '.zip,application/zip' })
      input.addEventListener('change', () => send(input.files?.[0], done))
      input.click()
    },
  }
}

export type Upload = ReturnType<typeof useUpload>

function refusalOf(error: Error): Refused {
  const {
    findings = [],
    errors = 0,
    imported = null,
  } = ((error instanceof ApiError && error.reply) || {}) as RefusalOf<typeof guide.upload>
  return { message: errors > 0 ? GUIDE.refused(errors) : messageOf(error), findings, imported }
}
