/** Fields that the user has changed. */
const touched = new Set<Element>()
addEventListener('input', ({ target }) => target instanceof Element && void touched.add(target), { capture: true })

/** Returns true while a dialog is open or a changed field is on screen, so that a reload would lose input. */
export const hasUnsavedInput = (): boolean =>
  document.querySelector('dialog[open], [role=dialog]') !== null || [...touched].some((field) => field.isConnected)
