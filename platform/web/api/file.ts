import { useState } from 'react'
import type { Contract } from '../../contract/contract.ts'
import type { BodyOf, Call } from '../../contract/call.ts'
import { calls } from 'virtual:calls'
import { readSession } from '../session/session.ts'
import { notify } from '../ui/notices.ts'
import { saveBlob } from '../ui/save-blob.ts'
import { API_BASE, errorOf } from './client.ts'
import { sentenceOf } from './error.ts'

type FileCall = {
  [M in keyof Contract]: {
    [K in keyof Contract[M]]: Contract[M][K] extends { kind: 'file' } ? readonly [M, K & string] : never
  }[keyof Contract[M]]
}[keyof Contract]

type Of<F extends FileCall> = Contract[F[0]][F[1] & keyof Contract[F[0]]]

export function useSaveFile() {
  const [saving, setSaving] = useState(false)
  const save = <F extends FileCall>(...file: Parameters<typeof saveFile<F>>): Promise<boolean> => {
    setSaving(true)
    return saveFile(...file)
      .then(() => true)
      .catch((error: Error) => {
        notify.alert(sentenceOf(error, 'The file could not be written. Please try again.'), error)
        return false
      })
      .finally(() => setSaving(false))
  }
  return { saving, save }
}

/** Fetches a file and saves it as a download. @throws ApiError */
async function saveFile<F extends FileCall>(file: F, body: Of<F> extends Call ? BodyOf<Of<F>> : never): Promise<void> {
  const [module, name] = file as readonly string[] as readonly [string, string]
  const call = calls[module]![name]!
  const uid = readSession()?.uid
  const response = await fetch(API_BASE + call.path, {
    method: call.method,
    headers: { 'content-type': 'application/json', ...(uid && { authorization: `Bearer ${uid}` }) },
    credentials: 'same-origin',
    body: JSON.stringify(body),
  })
  if (!response.ok) throw errorOf(response, await response.json().catch(() => null))
  const fileName = /filename="([^"]+)"/.exec(response.headers.get('content-disposition') ?? '')?.[1]
  saveBlob(fileName ?? name, await response.blob())
}
