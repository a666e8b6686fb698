// The messages of gnostic's OpenAPI documents, as far as the server's documents use them: numbers and names are facts of its proto files.
import { Messages } from '../protobuf/index.ts';

const named = (value: string): string => `name=1?s value=2?${value}`;
const any = { NamedAny: named('Any'), Any: 'yaml=2?s' };

export const messagesV2: Messages = new Messages({
  openapi: {
    ...any,
    Document: 'swagger=1?s info=2?Info paths=8?Paths definitions=9?Definitions',
    Info: 'title=1?s version=2?s',
    Paths: 'path=2*NamedPathItem',
    NamedPathItem: named('PathItem'),
    PathItem:
      'get=2?Operation put=3?Operation post=4?Operation delete=5?Operation options=6?Operation head=7?Operation patch=8?Operation parameters=9*ParametersItem extension=10*NamedAny',
    Operation:
      'tags=1*s summary=2?s description=3?s operationId=5?s produces=6*s consumes=7*s parameters=8*ParametersItem responses=9?Responses schemes=10*s deprecated=11?b extension=13*NamedAny',
    ParametersItem: 'parameter=1?Parameter reference=2?Reference',
    Reference: '$ref=1?s description=2?s',
    Parameter: 'body=1?BodyParameter other=2?NonBodyParameter',
    BodyParameter: 'description=1?s name=2?s in=3?s required=4?b schema=5?Schema',
    NonBodyParameter: 'header=1?PathParameter query=3?QueryParameter path=4?PathParameter',
    QueryParameter:
      'required=1?b in=2?s description=3?s name=4?s allowEmptyValue=5?b type=6?s format=7?s uniqueItems=20?b',
    PathParameter: 'required=1?b in=2?s description=3?s name=4?s type=5?s format=6?s uniqueItems=19?b',
    Responses: 'codes=1*NamedResponse',
    NamedResponse: named('ResponseValue'),
    ResponseValue: 'response=1?Response reference=2?Reference',
    Response: 'description=1?s schema=2?SchemaItem',
    SchemaItem: 'schema=1?Schema',
    Definitions: 'list=1*NamedSchema',
    Properties: 'list=1*NamedSchema',
    NamedSchema: named('Schema'),
    Schema:
      '$ref=1?s format=2?s title=3?s description=4?s default=5?Any multipleOf=6?d maximum=7?d exclusiveMaximum=8?b minimum=9?d exclusiveMinimum=10?b maxLength=11?l minLength=12?l pattern=13?s maxItems=14?l minItems=15?l uniqueItems=16?b maxProperties=17?l minProperties=18?l required=19*s enum=20*Any additionalProperties=21?AdditionalProperties type=22?Texts items=23?Items allOf=24*Schema properties=25?Properties discriminator=26?s readOnly=27?b example=30?Any extension=31*NamedAny',
    AdditionalProperties: 'schema=1?Schema boolean=2?b',
    Items: 'list=1*Schema',
    Texts: 'list=1*s',
  },
});

const orReference = (name: string): string =>
  `${name.charAt(0).toLowerCase()}${name.slice(1)}=1?${name} reference=2?Reference`;

export const messagesV3: Messages = new Messages({
  openapi: {
    ...any,
    Document: 'openapi=1?s info=2?Info paths=4?Paths components=5?Components',
    Info: 'title=1?s description=2?s version=6?s',
    Paths: 'path=1*NamedPathItem',
    NamedPathItem: named('PathItem'),
    PathItem:
      '$ref=1?s summary=2?s description=3?s get=4?Operation put=5?Operation post=6?Operation delete=7?Operation options=8?Operation head=9?Operation patch=10?Operation parameters=13*ParameterOrReference extension=14*NamedAny',
    Operation:
      'tags=1*s summary=2?s description=3?s operationId=5?s parameters=6*ParameterOrReference requestBody=7?RequestBodyOrReference responses=8?Responses deprecated=10?b extension=13*NamedAny',
    Reference: '$ref=1?s summary=2?s description=3?s',
    ParameterOrReference: orReference('Parameter'),
    Parameter:
      'name=1?s in=2?s description=3?s required=4?b deprecated=5?b allowEmptyValue=6?b schema=10?SchemaOrReference extension=14*NamedAny',
    RequestBodyOrReference: orReference('RequestBody'),
    RequestBody: 'description=1?s content=2?MediaTypes required=3?b extension=4*NamedAny',
    MediaTypes: 'list=1*NamedMediaType',
    NamedMediaType: named('MediaType'),
    MediaType: 'schema=1?SchemaOrReference',
    Responses: 'default=1?ResponseOrReference codes=2*NamedResponse',
    NamedResponse: named('ResponseOrReference'),
    ResponseOrReference: orReference('Response'),
    Response: 'description=1?s content=3?MediaTypes',
    Components: 'schemas=1?Properties',
    Properties: 'list=1*NamedSchema',
    NamedSchema: named('SchemaOrReference'),
    SchemaOrReference: orReference('Schema'),
    Schema:
      'nullable=1?b readOnly=3?b writeOnly=4?b example=7?Any deprecated=8?b title=9?s multipleOf=10?d maximum=11?d exclusiveMaximum=12?b minimum=13?d exclusiveMinimum=14?b maxLength=15?l minLength=16?l pattern=17?s maxItems=18?l minItems=19?l uniqueItems=20?b maxProperties=21?l minProperties=22?l required=23*s enum=24*Any type=25?s allOf=26*SchemaOrReference oneOf=27*SchemaOrReference anyOf=28*SchemaOrReference not=29?Schema items=30?Items properties=31?Properties additionalProperties=32?AdditionalProperties default=33?Default description=34?s format=35?s extension=36*NamedAny',
    Items: 'list=1*SchemaOrReference',
    AdditionalProperties: 'schema=1?SchemaOrReference boolean=2?b',
    Default: 'number=1?d boolean=2?b string=3?s',
  },
});
