import { useEffect, useRef, useState, type RefObject } from 'react'
import { PASSWORD_LENGTH_MAX, PASSWORD_LENGTH_MIN } from '@trainyard/platform/contract/words/limits.ts'

interface NewPasswordProps {
  input?: RefObject<HTMLInputElement | null>
  /** True while the form asks for no password. */
  disabled?: boolean
}

export function NewPassword({ input, disabled }: NewPasswordProps) {
  const tick = useRef<HTMLInputElement>(null)
  const [isShown, setShown] = useState(false)
  // The user may have ticked it before the script had loaded.
  useEffect(() => setShown(tick.current!.checked), [])
  return (
    <>
      <label>
        New password
        <input
          ref={input}
          name="password"
          type={isShown ? 'text' : 'password'}
          autoComplete="new-password"
          minLength={PASSWORD_LENGTH_MIN}
          maxLength={PASSWORD_LENGTH_MAX}
          aria-describedby="rule"
          disabled={disabled}
          required
        />
      </label>
      <p id="rule" className="dim">
        At least {PASSWORD_LENGTH_MIN} characters. A longer password is safer.
      </p>
      <label className="tick">
        <input ref={tick} name="show" type="checkbox" onChange={({ target }) => setShown(target.checked)} /> Show the
        password
      </label>
    </>
  )
}
