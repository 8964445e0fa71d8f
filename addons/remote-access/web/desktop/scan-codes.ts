/** Runs of keys with consecutive scan codes (set 1), and the code of the first key. */
const RUNS: readonly (readonly [first: number, keys: string])[] = [
  [0x01, 'Escape Digit1 Digit2 Digit3 Digit4 Digit5 Digit6 Digit7 Digit8 Digit9 Digit0 Minus Equal Backspace Tab'],
  [0x10, 'KeyQ KeyW KeyE KeyR KeyT KeyY KeyU KeyI KeyO KeyP BracketLeft BracketRight Enter ControlLeft'],
  [0x1e, 'KeyA KeyS KeyD KeyF KeyG KeyH KeyJ KeyK KeyL Semicolon Quote Backquote ShiftLeft Backslash'],
  [0x2c, 'KeyZ KeyX KeyC KeyV KeyB KeyN KeyM Comma Period Slash ShiftRight NumpadMultiply AltLeft Space CapsLock'],
  [0x3b, 'F1 F2 F3 F4 F5 F6 F7 F8 F9 F10 NumLock ScrollLock Numpad7 Numpad8 Numpad9 NumpadSubtract'],
  [0x4b, 'Numpad4 Numpad5 Numpad6 NumpadAdd Numpad1 Numpad2 Numpad3 Numpad0 NumpadDecimal'],
  [0x56, 'IntlBackslash F11 F12'],
  [0x70, 'KanaMode'],
  [0x73, 'IntlRo'],
  [0x79, 'Convert'],
  [0x7b, 'NonConvert'],
  [0x7d, 'IntlYen'],
  [0xe01c, 'NumpadEnter ControlRight'],
  [0xe035, 'NumpadDivide'],
  [0xe037, 'PrintScreen AltRight'],
  [0xe047, 'Home ArrowUp PageUp'],
  [0xe04b, 'ArrowLeft'],
  [0xe04d, 'ArrowRight'],
  [0xe04f, 'End ArrowDown PageDown Insert Delete'],
  [0xe05b, 'MetaLeft MetaRight ContextMenu'],
]

const CODES: ReadonlyMap<string, number> = new Map(
  RUNS.flatMap(([first, keys]) => keys.split(' ').map((key, i) => [key, first + i] as const)),
)

/**
 * Sources: https://w3c.github.io/uievents-code/ and
 * https://learn.microsoft.com/windows/win32/inputdev/about-keyboard-input
 */
export const scanCodeOf = (code: string): number | undefined => CODES.get(code)
