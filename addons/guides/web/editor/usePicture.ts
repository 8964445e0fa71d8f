import { useEffect, useState } from 'react'
import { base64Of } from '@trainyard/platform/web/ui/base64.ts'
import { bytesOf, type Files, pictureType } from './edited-files.ts'

/** Returns the address of a picture of the guide; null if there is no such picture. */
async function addressOf(files: Files, path: string): Promise<string | null> {
  const [content, type] = [files.get(path), pictureType(path)]
  if (content === undefined || type === undefined) return null
  return `data:${type};base64,${await base64Of(new Blob([bytesOf(content)]))}`
}

/** Returns the address of a picture; null until it is known, and for other files. */
export function usePicture(files: Files, path: string | null): string | null {
  const [known, setKnown] = useState<{ readonly path: string; readonly address: string | null } | null>(null)
  useEffect(() => {
    let isCurrent = true
    if (path !== null) void addressOf(files, path).then((address) => isCurrent && setKnown({ path, address }))
    return () => {
      isCurrent = false
    }
  }, [files, path])
  return known?.path === path ? (known?.address ?? null) : null
}
