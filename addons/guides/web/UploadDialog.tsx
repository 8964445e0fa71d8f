import { TextInput } from '@mantine/core'
import { useState } from 'react'
import { FormDialog } from '@trainyard/platform/web/ui/FormDialog.tsx'
import { typedFields } from '@trainyard/platform/web/ui/typed-fields.tsx'
import { ViewSwitch } from '@trainyard/platform/web/ui/ViewSwitch.tsx'
import { UploadFindings } from './UploadFindings.tsx'
import type { Upload } from './useUpload.ts'

const SOURCES = [
  { form: 'file', label: 'File' },
  { form: 'git', label: 'Git' },
] as const

const ADDRESS = { spellCheck: false, autoCapitalize: 'off', maxLength: 200 } as const

/** Asks for the file or the repository of a guide. Stays open with the findings if the guide is refused. */
export default function UploadDialog({ upload, close }: { upload: Upload; close: () => void }) {
  const [source, setSource] = useState<'file' | 'git'>('file')
  const [place, setPlace] = useState({ url: '', ref: '', folder: '' })
  const [tried, setTried] = useState(false)
  const url = place.url.trim()
  const field = typedFields(
    place,
    setPlace,
    tried ? { url: url === '' && 'Enter the address of the repository.' } : null,
  )
  const submit = () => {
    if (source === 'file') return upload.choose(close)
    setTried(true)
    if (url === '') return undefined
    const [ref, folder] = [place.ref.trim(), place.folder.trim().replace(/^\/+|\/+$/g, '')]
    return upload.send({ url, ...(ref !== '' && { ref }), ...(folder !== '' && { folder }) }, close)
  }
  return (
    <FormDialog
      title="Upload a guide"
      submit={source === 'file' ? 'Choose a file' : 'Fetch'}
      busy={upload.sending !== undefined && (source === 'file' ? 'Uploading...' : 'Fetching...')}
      close={close}
      onSubmit={submit}
    >
      <div>
        <ViewSwitch label="Source" forms={SOURCES} shown={source} choose={setSource} />
      </div>
      {source === 'file' ? (
        <p>
          A zip archive with guide.yaml, or a guide of Killercoda, Katacoda, Instruqt, Educates or CloudLabs. It becomes
          a draft.
        </p>
      ) : (
        <>
          <TextInput
            {...field('url')}
            {...ADDRESS}
            label="Repository"
            description="The https address by which Git clones a public repository."
            placeholder="https://git.example.com/labs.git"
            inputMode="url"
            maxLength={500}
            data-autofocus
          />
          <TextInput
            {...field('ref')}
            {...ADDRESS}
            label="Branch, tag or commit"
            description="Empty: the default branch."
          />
          <TextInput {...field('folder')} {...ADDRESS} label="Folder" description="Empty: the whole repository." />
        </>
      )}
      <UploadFindings upload={upload} />
    </FormDialog>
  )
}
