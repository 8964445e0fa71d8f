/** The fields of this screen that somebody typed into, or chose something in. */
const touched = new Set<Element>()
addEventListener('input', ({ target }) => target instanceof Element && void touched.add(target), { capture: true })

/** Returns true while a dialog is open, or a field that was typed into is still on the screen: something would be lost. */
export const somethingIsTyped = (): boolean =>
  document.querySelector('dialog[open], [role=dialog]') !== null || [...touched].some((field) => field.isConnected)
