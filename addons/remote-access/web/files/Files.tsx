import { type FormEvent, useCallback, useEffect, useState } from 'react'
import type { ReplyOf } from '@trainyard/platform/contract/call.ts'
import type { remote } from '../../contract/remote.ts'
import { FOLDER_ENTRIES_MAX, displayFileName } from '@trainyard/platform/contract/words/file.ts'
import { api } from '@trainyard/platform/web/api/client.ts'
import { messageOf } from '@trainyard/platform/web/api/error.ts'
import styles from './Files.module.css'
import { inBytes } from './in-bytes.ts'
import { TransferLine } from './TransferLine.tsx'
import { useTransfers } from './useTransfers.ts'

type Folder = ReplyOf<typeof remote.folder>

export default function Files({ machine }: { machine: string }) {
  const [folder, setFolder] = useState<Folder | null>(null)
  const [typed, setTyped] = useState('')
  const [isOver, setOver] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const open = useCallback(
    async (path?: string) => {
      try {
        const read = await api.remote.folder({ vmName: machine, ...(path !== undefined && { path }) })
        setFolder(read)
        setTyped(read.path)
        setProblem(null)
      } catch (error) {
        setProblem(messageOf(error))
      }
    },
    [machine],
  )
  useEffect(() => void open(), [open])
  const currentFolder = folder?.path ?? '.'
  const changed = useCallback(() => void open(folder?.path), [open, folder?.path])
  const transfers = useTransfers(machine, changed)
  const openFolder = (event: FormEvent) => {
    event.preventDefault()
    void open(typed)
  }
  const mayUpload = transfers.allowed !== false && folder !== null
  const upload = (files: FileList | null) => {
    for (const file of Array.from(files ?? [])) void transfers.upload(currentFolder, file)
  }
  const pathBelow = (name: string) => `${currentFolder === '/' ? '' : currentFolder}/${name}`
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- the keyboard uses the field below
    <section
      className={styles.files}
      aria-label={`Files of ${machine}`}
      data-drawer=""
      data-over={(isOver && mayUpload) || undefined}
      onDragOver={() => setOver(true)}
      onDragLeave={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget as Node | null)) setOver(false)
      }}
      onDrop={({ dataTransfer }) => {
        setOver(false)
        if (mayUpload) upload(dataTransfer.files)
      }}
    >
      <h2>Files</h2>
      <form className={styles.where} onSubmit={openFolder}>
        <label>
          Folder
          <input value={typed} onChange={({ currentTarget: { value } }) => setTyped(value)} spellCheck={false} />
        </label>
        <button type="submit">Open</button>
        <button type="button" onClick={() => void open(pathBelow('..'))}>
          Up
        </button>
      </form>
      {(problem ?? transfers.problem) !== null && <p role="alert">{problem ?? transfers.problem}</p>}
      {mayUpload && (
        <label className={styles.choose}>
          Upload files here (up to 1 GB each), or drop them
          <input
            type="file"
            multiple
            onChange={({ currentTarget }) => {
              upload(currentTarget.files)
              currentTarget.value = ''
            }}
          />
        </label>
      )}
      {transfers.transfers.length > 0 && (
        <ul className={styles.transfers} aria-label="Transfers">
          {transfers.transfers.map((transfer) => (
            <TransferLine
              key={transfer.id}
              transfer={transfer}
              hasFile={transfers.has(transfer.id)}
              pause={() => transfers.pause(transfer.id)}
              resume={(chosen) => void transfers.resume(transfer, chosen)}
              replace={() => void transfers.replace(transfer, currentFolder)}
              cancel={() => void transfers.cancel(transfer)}
            />
          ))}
        </ul>
      )}
      {folder !== null && (
        <ul className={styles.entries} aria-label={`Contents of ${displayFileName(folder.path)}`}>
          {folder.entries.map(({ name, kind, size }) => (
            <li key={name}>
              {kind === 'folder' ? (
                <button type="button" onClick={() => void open(pathBelow(name))}>
                  {displayFileName(name)}/
                </button>
              ) : (
                <span>{displayFileName(name)}</span>
              )}
              <span className={styles.size}>{kind === 'file' && inBytes(size)}</span>
              {kind === 'file' && (
                <button
                  type="button"
                  aria-label={`Download ${displayFileName(name)}`}
                  onClick={() => void transfers.download(pathBelow(name))}
                >
                  Download
                </button>
              )}
            </li>
          ))}
          {folder.entries.length === 0 && <li>This folder is empty.</li>}
          {folder.more && <li>Only the first {FOLDER_ENTRIES_MAX} are shown. Type a path to open others.</li>}
        </ul>
      )}
    </section>
  )
}
