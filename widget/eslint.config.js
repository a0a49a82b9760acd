/**
 * ESLint rules for all JavaScript in the repository; `make lint` and `make fmt` run it from the root. Rules check the style,
 * because a formatter such as Prettier or Biome would also change lines that are readable.
 */
import js from '@eslint/js';
import stylistic from '@stylistic/eslint-plugin';
import globals from 'globals';

/** Two files fit side by side on a wide screen. Strings and URLs, which cannot be wrapped, may be longer. */
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
  { ignores: ['**/build/', '**/.docusaurus/', '**/dist/', '**/fixtures/', 'docusaurus-plugin/widget/', 'examples/'] }, // Built files and sites.
  { ignores: ['website/src/pages/'] }, // ESLint does not count names in JSX as used.
  {
    plugins: { '@stylistic': stylistic },
    languageOptions: { globals: { ...globals.browser, ...globals.node } },
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    rules: { ...js.configs.recommended.rules, ...style, ...judgement },
  },
];
