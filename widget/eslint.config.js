/**
 * What ESLint asks of all JavaScript in the repository; `make lint` and `make fmt` run it from the root. Style is checked
 * by rules instead of printing files anew, as Prettier or Biome would, so that a line that reads well stays as written.
 */
import js from '@eslint/js';
import stylistic from '@stylistic/eslint-plugin';
import globals from 'globals';

/** What fits beside a second file on a wide screen; strings and addresses, which cannot be cut, may be longer. */
const LINE_LENGTH = 140;

const style = {
  '@stylistic/array-bracket-spacing': 'error',
  '@stylistic/arrow-parens': 'error',
  '@stylistic/arrow-spacing': 'error',
  '@stylistic/brace-style': ['error', '1tbs', { allowSingleLine: true }],
  '@stylistic/comma-dangle': ['error', 'only-multiline'],
  '@stylistic/comma-spacing': 'error',
  '@stylistic/eol-last': 'error',
  '@stylistic/function-call-spacing': 'error',
  '@stylistic/indent': ['error', 2, { SwitchCase: 1, flatTernaryExpressions: true }],
  '@stylistic/key-spacing': 'error',
  '@stylistic/keyword-spacing': 'error',
  '@stylistic/max-len': ['error', {
    code: LINE_LENGTH,
    ignoreStrings: true,
    ignoreTemplateLiterals: true,
    ignoreRegExpLiterals: true,
    ignoreUrls: true,
  }],
  '@stylistic/no-multi-spaces': 'error',
  '@stylistic/no-multiple-empty-lines': ['error', { max: 1, maxBOF: 0, maxEOF: 0 }],
  '@stylistic/no-trailing-spaces': 'error',
  '@stylistic/object-curly-spacing': ['error', 'always'],
  '@stylistic/operator-linebreak': ['error', 'before', { overrides: { '=': 'after' } }],
  '@stylistic/padded-blocks': ['error', 'never'],
  '@stylistic/quotes': ['error', 'single', { avoidEscape: true }],
  '@stylistic/semi': 'error',
  '@stylistic/space-before-blocks': 'error',
  '@stylistic/space-before-function-paren': ['error', { anonymous: 'always', named: 'never', asyncArrow: 'always' }],
  '@stylistic/space-in-parens': 'error',
  '@stylistic/space-infix-ops': 'error',
};

const judgement = {
  curly: ['error', 'multi-line'],
  eqeqeq: 'error',
  'no-unused-vars': ['error', { args: 'after-used', caughtErrors: 'none', ignoreRestSiblings: true }],
  'no-var': 'error',
  'object-shorthand': 'error',
  'prefer-arrow-callback': 'error',
  'prefer-const': 'error',
};

export default [
  { ignores: ['**/build/', '**/.docusaurus/', '**/dist/', '**/fixtures/', 'docusaurus-plugin/widget/', 'examples/'] }, // Sites, and what is built.
  { ignores: ['website/src/pages/'] }, // JSX, whose use of names ESLint does not see by itself.
  {
    plugins: { '@stylistic': stylistic },
    languageOptions: { globals: { ...globals.browser, ...globals.node } },
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    rules: { ...js.configs.recommended.rules, ...style, ...judgement },
  },
];
