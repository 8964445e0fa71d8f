import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { DEMO_CLASS } from '../contract/demo-class.ts'
import { api } from '@trainyard/platform/web/api/client.ts'
import { newId } from '@trainyard/platform/web/api/new-id.ts'
import { useAction } from '@trainyard/platform/web/api/useAction.ts'
import { useMe } from '@trainyard/platform/web/session/me.ts'
import { TextButton } from '@trainyard/platform/web/ui/TextButton.tsx'

/** Offers a class with emulated machines, in a portal that has them. */
export function TryDemoClass({ organization }: { organization: string }) {
  const { role, abilities } = useMe()
  const navigate = useNavigate()
  const [idempotencyKey] = useState(newId)
  const creation = useAction(() => api.firstSteps.createDemoClass({ organization }, { idempotencyKey }), {
    invalidates: ['home', 'training'],
    // The class is on the Home page of its organisation, which a superadmin selects.
    onDone: () => role === 'superadmin' && void navigate({ to: '/', search: { organization } }),
  })
  if (!abilities.includes('firstSteps.createDemoClass')) return null
  return (
    <p>
      <TextButton disabled={creation.isPending} onClick={() => creation.mutate()}>
        {creation.isPending ? 'Creating the demo class...' : 'Try a demo class'}
      </TextButton>{' '}
      <span className="dim">
        {DEMO_CLASS.seats} emulated machines, ready within minutes, with a terminal in the browser.
      </span>
    </p>
  )
}
