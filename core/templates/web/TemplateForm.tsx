import { Checkbox, NativeSelect, Textarea, TextInput } from '@mantine/core'
import '@mantine/core/styles/Checkbox.layer.css'
import { useState, type ReactNode } from 'react'
import { DISK_SKUS, LICENCES, OPERATING_SYSTEMS } from '@trainyard/platform/contract/words/limits.ts'
import { Fills } from '@trainyard/platform/web/shell/Fills.tsx'
import { FormDialog } from '@trainyard/platform/web/ui/FormDialog.tsx'
import { controlledCheck, controlledText } from '@trainyard/platform/web/ui/typed-fields.tsx'
import {
  AZURE_TEXTS,
  templateOf,
  licenceFor,
  PLAN_TEXTS,
  TEXTS,
  type Choices,
  type NewTemplate,
  type TextField,
  type Texts,
} from './template-form.ts'
import styles from './TemplateForm.module.css'
import { templateAddress, templateImage } from './slots.ts'
import { VmSizeField } from './VmSizeField.tsx'

const hints: Partial<Record<TextField, string>> = {
  location: 'southindia',
  imageId: 'The id of an image, or publisher:offer:sku:version',
}

interface TemplateFormProps {
  title: string
  submit: string
  busy: string | false
  first: { readonly texts: Texts; readonly choices: Choices }
  /** True for an existing card, whose name can't be changed. */
  named?: boolean
  note?: ReactNode
  send: (template: NewTemplate) => void
  close: () => void
}

export function TemplateForm({ title, submit, busy, first, named = false, note, send, close }: TemplateFormProps) {
  const [texts, setTexts] = useState(first.texts)
  const [choices, setChoices] = useState(first.choices)
  const [tried, setTried] = useState(false)
  const { template, problems } = templateOf(texts, choices)
  const choose = (choice: Partial<Choices>) => setChoices((now) => licenceFor({ ...now, ...choice }))

  const field = ([name, label]: [string, string]) => (
    <TextInput
      key={name}
      label={label}
      readOnly={named && name === 'name'}
      description={
        named && name === 'name'
          ? 'It can’t be changed, because orders refer to the card by it.'
          : name === 'vnet'
            ? 'Name, or resource ID of a virtual network or subnet.'
            : undefined
      }
      placeholder={hints[name as TextField]}
      autoComplete="off"
      maxLength={name === 'imageId' || name === 'vnet' ? 600 : 200}
      inputMode={name === 'rate' ? 'decimal' : undefined}
      error={tried && problems?.[name as TextField]}
      {...controlledText(texts[name as TextField], (text) => setTexts((now) => ({ ...now, [name]: text })))}
    />
  )
  return (
    <FormDialog
      title={title}
      submit={submit}
      wide
      busy={busy}
      close={close}
      onSubmit={() => {
        setTried(true)
        if (template) send(template)
      }}
    >
      {note}
      <Fills
        of={templateImage}
        props={{
          imageId: texts.imageId,
          choose({ imageId, location, os }) {
            setTexts((now) => ({ ...now, imageId: imageId!, location }))
            choose({ os })
          },
          clear: () => setTexts((now) => ({ ...now, imageId: '' })),
        }}
      />
      <div className={styles.fields}>
        {Object.entries(TEXTS).map(field)}
        <VmSizeField
          size={choices.vmSize}
          location={texts.location}
          error={tried && problems?.vmSize}
          choose={(vmSize) => choose({ vmSize })}
        />
        <NativeSelect label="OS" data={OPERATING_SYSTEMS} {...controlledText(choices.os, (os) => choose({ os }))} />
        <NativeSelect
          label="Licence"
          description={choices.os === 'Windows' ? undefined : 'Windows_Server requires Windows.'}
          data={LICENCES}
          disabled={choices.os !== 'Windows'}
          {...controlledText(choices.licence, (licence) => choose({ licence }))}
        />
        <Fills
          of={templateAddress}
          props={{ network: choices.privateNetwork, choose: (privateNetwork) => choose({ privateNetwork }) }}
        />
      </div>
      <Checkbox
        label="Official image"
        description="From the marketplace, with a plan."
        {...controlledCheck(choices.isOfficial, (isOfficial) => choose({ isOfficial }))}
      />
      {choices.isOfficial && <div className={styles.fields}>{Object.entries(PLAN_TEXTS).map(field)}</div>}
      <details open={tried && (problems?.tags ?? problems?.diskEncryptionSet) !== undefined ? true : undefined}>
        <summary>Azure policies</summary>
        <div className={styles.policies}>
          <Textarea
            label={AZURE_TEXTS.tags}
            description="One name=value per line, on every resource of a machine. Tags of the organisation are added."
            autosize
            minRows={2}
            maxLength={6000}
            error={tried && problems?.tags}
            {...controlledText(texts.tags, (tags) => setTexts((now) => ({ ...now, tags })))}
          />
          <NativeSelect
            label="Disk Type"
            data={DISK_SKUS}
            {...controlledText(choices.diskSku, (diskSku) => choose({ diskSku }))}
          />
          <TextInput
            label={AZURE_TEXTS.diskEncryptionSet}
            description="Resource ID. Leave empty for keys that Azure manages."
            autoComplete="off"
            maxLength={300}
            error={tried && problems?.diskEncryptionSet}
            {...controlledText(texts.diskEncryptionSet, (diskEncryptionSet) =>
              setTexts((now) => ({ ...now, diskEncryptionSet })),
            )}
          />
          <Checkbox
            label="Encryption at host"
            description="The feature must be registered for the subscription."
            {...controlledCheck(choices.encryptionAtHost, (encryptionAtHost) => choose({ encryptionAtHost }))}
          />
          <Checkbox
            label="Boot diagnostics"
            description="Stored in a storage account that Azure manages."
            {...controlledCheck(choices.bootDiagnostics, (bootDiagnostics) => choose({ bootDiagnostics }))}
          />
        </div>
      </details>
    </FormDialog>
  )
}
