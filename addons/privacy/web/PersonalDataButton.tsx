import { lazy, Suspense, useState } from 'react'
import { TextButton } from '@trainyard/platform/web/ui/TextButton.tsx'

const PersonalData = lazy(() => import('./PersonalData.tsx'))

export default function PersonalDataButton({ email }: { email: string }) {
  const [open, setOpen] = useState(false)
  return (
    <>
      <TextButton label={`Data of ${email}`} onClick={() => setOpen(true)}>
        Data
      </TextButton>
      {open && (
        <Suspense>
          <PersonalData email={email} close={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
