import { type ESTree, Visitor } from 'vite'

const READ_ONLY_METHODS = new Set([
  'has',
  'includes',
  'some',
  'every',
  'startsWith',
  'endsWith',
  'test',
  'isArray',
  'isInteger',
])

/** Returns true if removing the expression changes nothing but its value. */
export function isSideEffectFree(expression: ESTree.Expression): boolean {
  let isFree = true
  const refuse = () => void (isFree = false)
  new Visitor({
    CallExpression({ callee }) {
      const isMethod = callee.type === 'MemberExpression' && callee.property.type === 'Identifier'
      if (!isMethod || !READ_ONLY_METHODS.has((callee.property as ESTree.IdentifierName).name)) refuse()
    },
    NewExpression: refuse,
    AwaitExpression: refuse,
    YieldExpression: refuse,
    TaggedTemplateExpression: refuse,
    AssignmentExpression: refuse,
    UpdateExpression: refuse,
  }).visit({
    type: 'Program',
    sourceType: 'module',
    hashbang: null,
    start: expression.start,
    end: expression.end,
    body: [{ type: 'ExpressionStatement', expression, start: expression.start, end: expression.end }],
  })
  return isFree
}
