/** What `prism.js` finds for the bundler. */
declare module '@pincite/prism' {
  export {Prism} from 'prism-react-renderer';
}
