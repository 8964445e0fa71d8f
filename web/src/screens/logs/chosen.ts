/**
 * Returns the machine whose runs are shown, and the names to choose from. The address's machine is in the list even
 * when the training's list does not have it (yet); a training's only machine is chosen.
 */
export function chosenMachine(names: readonly string[], inAddress: string | undefined) {
  const chosen = inAddress ?? (names.length === 1 ? names[0]! : null)
  const listed = chosen === null || names.includes(chosen) ? names : [chosen, ...names]
  return { chosen, listed }
}
