import IconUpload from '@tabler/icons-react/icons/IconUpload'
import { Button } from '@mantine/core'
import { useRef, useState } from 'react'
import { LOGO_BYTES_MAX, LOGO_SIDE_MAX, LOGO_TYPES } from '../contract/logo.ts'
import { api } from '@trainyard/platform/web/api/client.ts'
import { base64Of } from '@trainyard/platform/web/ui/base64.ts'
import { useAction } from '@trainyard/platform/web/api/useAction.ts'
import { ConfirmDialog } from '@trainyard/platform/web/ui/ConfirmDialog.tsx'
import { notify } from '@trainyard/platform/web/ui/notices.ts'
import type { Settings } from './profile-form.ts'
import styles from './Logo.module.css'
import { Section } from '@trainyard/platform/web/forms/Section.tsx'

export default function Logo({ settings: { name, logo } }: { settings: Settings }) {
  const file = useRef<HTMLInputElement>(null)
  const [removing, setRemoving] = useState(false)
  const saving = useAction((image: string | null) => api.organisation.changeLogo({ organization: name, image }), {
    invalidates: ['organisation', 'session'],
    onSettled: () => setRemoving(false),
  })
  const choose = async (chosen: File | undefined) => {
    if (chosen === undefined) return
    if (chosen.size > LOGO_BYTES_MAX) {
      notify.alert(`The image must be at most ${LOGO_BYTES_MAX / 1024} kB large.`)
      return
    }
    saving.mutate(await base64Of(chosen))
  }
  return (
    <Section
      title="Logo"
      text={`PNG, JPEG or WebP, at most ${LOGO_BYTES_MAX / 1024} kB and ${LOGO_SIDE_MAX} pixels per side. Shown in the sidebar, 28 pixels high.`}
    >
      <div className="row">
        {logo === null ? (
          <span className="dim">The default logo is shown.</span>
        ) : (
          <img className={styles.logo} src={logo} alt={`Logo of ${name}`} />
        )}
        <input
          ref={file}
          className="visually-hidden"
          tabIndex={-1}
          type="file"
          aria-label="Image of the logo"
          accept={LOGO_TYPES.join(',')}
          onChange={(event) => {
            void choose(event.currentTarget.files?.[0])
            // Allows the same file to be chosen again after a change.
            event.currentTarget.value = ''
          }}
        />
        <Button
          variant="default"
          leftSection={<IconUpload size={16} aria-hidden />}
          disabled={saving.isPending}
          onClick={() => file.current?.click()}
        >
          {saving.isPending ? 'Saving...' : 'Choose Image'}
        </Button>
        {logo !== null && (
          <Button variant="default" disabled={saving.isPending} onClick={() => setRemoving(true)}>
            Remove Logo
          </Button>
        )}
      </div>
      {removing && (
        <ConfirmDialog
          title="Remove Logo"
          confirm="Remove"
          busy={saving.isPending && 'Removing...'}
          destroys
          onConfirm={() => saving.mutate(null)}
          close={() => setRemoving(false)}
        >
          The default logo is shown instead.
        </ConfirmDialog>
      )}
    </Section>
  )
}
