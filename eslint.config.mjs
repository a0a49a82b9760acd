// One style for all JavaScript here. The rules live beside the packages that they need.
export { default } from './widget/eslint.config.js';
