import type { LiveValidator } from 'oav/dist/lib/liveValidation/liveValidator.js'

/** The parts of oav that hold its files and its compiler, which its types keep to themselves. */
interface Inside {
  readonly loader: {
    readonly jsonLoader: { readonly loadedFiles: readonly { $id: string; definitions?: Record<string, object> }[] }
    readonly schemaValidator: { readonly ajv: { addSchema(schema: object, key: string, skipValidation: true): void } }
  }
}

/**
 * Names every definition to the compiler by the reference that it is used by, so that it is compiled once. Otherwise
 * each operation compiles anew all that its messages lead to, which for the network is everything, a second each.
 */
export function nameDefinitions(validator: LiveValidator): void {
  const { jsonLoader, schemaValidator } = (validator as unknown as Inside).loader
  for (const { $id, definitions = {} } of jsonLoader.loadedFiles) {
    for (const [name, schema] of Object.entries(definitions)) {
      schemaValidator.ajv.addSchema(schema, `${$id}#/definitions/${name}`, true)
    }
  }
}
