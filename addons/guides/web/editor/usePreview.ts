import { useEffect, useRef, useState } from 'react'
import type { ReplyOf } from '@trainyard/platform/contract/call.ts'
import { api } from '@trainyard/platform/web/api/client.ts'
import { base64Of } from '@trainyard/platform/web/ui/base64.ts'
import type { guide } from '../../contract/guide.ts'
import { bytesOf, type Files } from './edited-files.ts'
import { zipOf } from './zip.ts'

/** Time without typing after which the preview is made, in ms. */
const PAUSE_MS = 800

/** Beginning of a file that is no text, by which the server recognises pictures. */
const HEAD_BYTES = 64

type Preview = ReplyOf<typeof guide.preview> & { readonly shown: string }

/** Returns the text at a path as learners see it, and the faults of all files, after a pause in typing. */
export function usePreview(files: Files, shown: string, whose: { readonly organization?: string }): Preview | null {
  const [preview, setPreview] = useState<Preview | null>(null)
  const last = useRef<{ files: Files; shown: string } | null>(null)
  const { organization } = whose
  useEffect(() => {
    if (last.current?.files === files && last.current.shown === shown) return undefined
    const aborted = new AbortController()
    const make = async () => {
      const heads = [...files].map(
        ([path, content]) =>
          [path, typeof content === 'string' ? bytesOf(content) : content.slice(0, HEAD_BYTES)] as const,
      )
      const bytes = await base64Of(zipOf(heads))
      const reply = await api.guide.preview(
        { ...(organization !== undefined && { organization }), bytes, shown },
        { signal: aborted.signal, staysOnPage: true },
      )
      last.current = { files, shown }
      setPreview({ ...reply, shown })
    }
    // A failed preview stays as it was until the next change.
    const isTyping = last.current !== null && last.current.files !== files
    const timer = setTimeout(() => void make().catch(() => {}), isTyping ? PAUSE_MS : 0)
    return () => {
      clearTimeout(timer)
      aborted.abort()
    }
  }, [files, shown, organization])
  return preview
}
