import { useRef, useState } from 'react'
import type { RefusalOf, ReplyOf } from '@trainyard/platform/contract/call.ts'
import { api } from '@trainyard/platform/web/api/client.ts'
import { ApiError, messageOf } from '@trainyard/platform/web/api/error.ts'
import { useAction } from '@trainyard/platform/web/api/useAction.ts'
import { base64Of } from '@trainyard/platform/web/ui/base64.ts'
import type { guide } from '../../contract/guide.ts'
import { bytesOf, type Files } from './edited-files.ts'
import { zipOf } from './zip.ts'

/** Version whose files are edited; a number of 0 for a new guide. */
export interface Opened {
  readonly guide: string | null
  readonly number: number
  readonly newest: number
  readonly files: Files
}

interface Refused {
  readonly message: string
  /** The version that another author has stored meanwhile. */
  readonly newest: number | null
}

/** The edited files, and their stored versions. */
export function useDraft(opened: Opened, whose: { readonly organization?: string }) {
  const [files, setFiles] = useState(opened.files)
  // A change after a wait begins with the files as they are then.
  const latest = useRef(opened.files)
  const [stored, setStored] = useState({ ...opened, isOwn: false })
  const [refused, setRefused] = useState<Refused | null>(null)
  const saving = useAction(
    async ({ sent, newest }: { readonly sent: Files; readonly newest: number }) => {
      const zip = zipOf([...sent].map(([path, content]) => [path, bytesOf(content)]))
      const edited = {
        guide: stored.guide,
        newest,
        // Every save makes a version. The author needs only the last draft of this work.
        ...(stored.isOwn && { replaces: stored.number }),
      }
      // An author whose session has ended can log in on another page, and then save.
      return api.guide.upload({ ...whose, bytes: await base64Of(zip), edited }, { staysOnPage: true })
    },
    {
      // The version that was opened may have been replaced, and is not read again.
      invalidates: [api.guide.list],
      onDone: (reply: ReplyOf<typeof guide.upload>, { sent, newest }) => {
        setRefused(null)
        setStored({
          guide: reply.guide,
          number: reply.number,
          newest: reply.number,
          files: sent,
          // Another id in guide.yaml makes another guide, whose numbers begin again.
          isOwn:
            reply.guide !== stored.guide || reply.number > newest || (stored.isOwn && reply.number === stored.number),
        })
      },
      onFailed: (error) => setRefused(refusalOf(error)),
    },
  )
  const { isPending, mutate } = saving
  return {
    files,
    stored,
    isChanged: files !== stored.files,
    isSaving: isPending,
    refused,
    change: (to: (before: Files) => Files) => {
      setRefused(null)
      latest.current = to(latest.current)
      setFiles(latest.current)
    },
    /** @param newest the newest version that the author knows */
    save: (newest = stored.newest) => {
      if (!isPending) mutate({ sent: files, newest })
    },
  }
}

export type Draft = ReturnType<typeof useDraft>

function refusalOf(error: Error): Refused {
  const { newest = null } = ((error instanceof ApiError && error.reply) || {}) as RefusalOf<typeof guide.upload>
  return { message: `Not saved: ${messageOf(error)}`, newest }
}
