/** The REST contract of the page's own instance, to read and to try; nothing is loaded from elsewhere. */
import SwaggerUI from 'swagger-ui-dist/swagger-ui-es-bundle.js';
import 'swagger-ui-dist/swagger-ui.css';

SwaggerUI({
  dom_id: '#root',
  url: new URL('openapi.json', document.baseURI).href,
  deepLinking: true,
  docExpansion: 'list',
  // The validator is a service on another site.
  validatorUrl: null,
});
