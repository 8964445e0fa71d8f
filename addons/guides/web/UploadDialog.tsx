import { TextInput } from '@mantine/core'
import { useState } from 'react'
import { guide } from '../contract/guide.ts'
import { useShapedForm } from '@trainyard/platform/web/forms/useShapedForm.tsx'
import { FormDialog } from '@trainyard/platform/web/ui/FormDialog.tsx'
import { ViewSwitch } from '@trainyard/platform/web/ui/ViewSwitch.tsx'
import { UploadFindings } from './UploadFindings.tsx'
import type { Upload } from './useUpload.ts'

const SOURCES = [
  { form: 'file', label: 'File' },
  { form: 'git', label: 'Git' },
] as const

const ADDRESS = { spellCheck: false, autoCapitalize: 'off' } as const

/** Asks for the file or the repository of a guide. Stays open with the findings if the guide is refused. */
export default function UploadDialog({ upload, close }: { upload: Upload; close: () => void }) {
  const [source, setSource] = useState<'file' | 'git'>('file')
  const form = useShapedForm({
    shape: guide.fetch.body,
    initialValues: { url: '', ref: '', folder: '' },
    bodyOf(entered) {
      const [ref, folder] = [entered.ref.trim(), entered.folder.trim().replace(/^\/+|\/+$/g, '')]
      return { url: entered.url.trim(), ...(ref !== '' && { ref }), ...(folder !== '' && { folder }) }
    },
  })
  const fetchGuide = form.onSubmit((place) => upload.send(place, close))
  return (
    <FormDialog
      title="Upload a guide"
      submit={source === 'file' ? 'Choose a file' : 'Fetch'}
      busy={upload.sending !== undefined && (source === 'file' ? 'Uploading...' : 'Fetching...')}
      close={close}
      onSubmit={() => (source === 'file' ? upload.choose(close) : fetchGuide())}
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
            {...form.getInputProps('url')}
            {...ADDRESS}
            label="Repository"
            description="The https address by which Git clones a public repository."
            placeholder="https://git.example.com/labs.git"
            inputMode="url"
            data-autofocus
          />
          <TextInput
            {...form.getInputProps('ref')}
            {...ADDRESS}
            label="Branch, tag or commit"
            description="Empty: the default branch."
          />
          <TextInput
            {...form.getInputProps('folder')}
            {...ADDRESS}
            label="Folder"
            description="Empty: the whole repository."
          />
        </>
      )}
      <UploadFindings upload={upload} />
    </FormDialog>
  )
}
